/** The project that argus looks after. */
export interface Project {
  /** The name in the configuration, or that of the folder. */
  readonly name: string;
  /** The absolute path of the folder with the configuration. */
  readonly dir: string;
}
