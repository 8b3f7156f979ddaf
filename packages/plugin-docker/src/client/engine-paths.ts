import type { ObjectType } from './docker-client.js';

/** What can be listed. */
export type ListedType = Exclude<ObjectType, 'image'>;

/** What the engine says in a list; volumes have no other id than their name. */
interface Listed {
  readonly Id?: string;
  readonly Name?: string;
}

/** Names of images have slashes in them, and are looked at rarely: of those the client is asked. */
const objects: Partial<Record<ObjectType, (id: string) => string>> = {
  container: (id) => `/containers/${id}/json`,
  network: (id) => `/networks/${id}`,
  volume: (id) => `/volumes/${id}`,
};

const lists: Record<ListedType, string> = {
  container: '/containers/json?all=1&filters=',
  network: '/networks?filters=',
  volume: '/volumes?filters=',
};

/** Where the engine tells of objects; nothing when it is not to be asked. */
export function objectPaths(type: ObjectType, ids: readonly string[]): string[] | undefined {
  const pathOf = objects[type];
  return pathOf && ids.map((id) => pathOf(encodeURIComponent(id)));
}

/** Where the engine lists what carries labels. */
export function listPath(type: ListedType, labels: Readonly<Record<string, string>>): string {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return `${lists[type]}${encodeURIComponent(JSON.stringify({ label }))}`;
}

/** The ids in an engine's list; nothing when it is no such list. */
export function idsIn(type: ListedType, answer: unknown): string[] | undefined {
  const found = type === 'volume' ? volumesIn(answer) : answer;
  if (!Array.isArray(found)) return undefined;
  // The engine lists containers by age, and the others in any order; the client sorts those by their names.
  const ordered = type === 'container' ? found : found.toSorted(byName);
  const ids = ordered.map(({ Id, Name }: Listed) => (type === 'volume' ? Name : Id));
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** An engine without volumes has null for a list of them. */
function volumesIn(answer: unknown): unknown {
  const isThere = typeof answer === 'object' && answer !== null && 'Volumes' in answer;
  return isThere ? (answer.Volumes ?? []) : undefined;
}

function byName({ Name: one = '' }: Listed, { Name: other = '' }: Listed): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
