/** How a service is called in the names of variables: `my-api` is `MY_API` in `ARGUS_PORT_MY_API`. */
export function variableName(service: string): string {
  return service.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}
