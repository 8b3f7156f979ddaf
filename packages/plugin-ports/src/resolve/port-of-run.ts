import { plainAddress, type RunRecord } from '@argusai/core';
import type { LeaseBook } from '../lease/lease-book.js';
import { portsAskedFor, type Wish } from '../wish.js';

/** The ports that a run has leased for a wish: more than one when it asks for the very same twice. */
export function leasedPorts(wish: Wish, runId: string, book: LeaseBook): number[] {
  const { service, port, protocol, container, address } = wish;
  const found = book.leasesOf(runId).filter(({ key, lease }) => {
    const isOfWish = lease.service === service && lease.wished === port && lease.container === container;
    return isOfWish && lease.address === address && key.startsWith(`${protocol}/`);
  });
  return found.map(({ key }) => Number(key.split('/')[1]));
}

/** The port that a record notes for a wish. */
export function recordedPort(wish: Wish, run: RunRecord | undefined): number | undefined {
  const { service, port, protocol, container, address } = wish;
  // A record of a later version may have another shape; then it says nothing here.
  const noted = run?.services?.[service]?.ports?.filter(
    (one) => one.container === container && one.protocol === protocol && plainAddress(one.ip) === address,
  );
  const hosts = noted?.flatMap(({ host }) => host ?? []) ?? [];
  const isGiven = (host: number) =>
    run?.portMappings?.some(
      (one) => one.service === service && one.originalPort === port && one.actualPort === host,
    );
  const isAsGood = (host: number) => wish.any || (wish.within && portsAskedFor(wish).includes(host));
  // A port inside may be published more than once.
  return hosts.find((host) => host === port) ?? hosts.find(isGiven) ?? hosts.find(isAsGood);
}
