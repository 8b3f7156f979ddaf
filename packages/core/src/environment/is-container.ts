/** Whether a service is a container; the others are processes of this machine. */
export function isContainer({ image, build }: { image?: unknown; build?: unknown }): boolean {
  return image !== undefined || build !== undefined;
}
