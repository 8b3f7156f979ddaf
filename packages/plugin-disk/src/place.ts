/** A folder that is looked at, and what it is for. An alias, because only those fit into JSON details. */
export type Place = {
  readonly path: string;
  readonly use: 'project' | 'temporary files' | 'engine' | 'configured';
};
