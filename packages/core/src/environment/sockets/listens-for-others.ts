import { basename } from 'node:path';

/** Engines of containers and machines, what they pass connections on by, and init. */
const proxies =
  /^(docker-proxy|dockerd|conmon|root(lesskit|lessport)|slirp4netns|passt|pasta|gvproxy|vpnkit|com\.docker\..*|limactl|qemu-.*|VBox.*|systemd|init|launchd)$/;

/** Whether a program listens for somebody else, for whom is not to be seen from outside. */
export function listensForOthers(program: string): boolean {
  return proxies.test(basename(program));
}
