declare const ARGUS_CORE_VERSION: string;

/** The version of this core. It is put in when it is built, also into the programs that contain it. */
export const coreVersion: string = ARGUS_CORE_VERSION;

/** What may be used together: the same major, and before the first one the same minor, as npm's `^` has it. */
export function releaseLine(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}
