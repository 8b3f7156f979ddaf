import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const bridges = 'argus-e';
const forwarding = '/proc/sys/net/ipv4/ip_forward';

/**
 * A block of addresses that one engine has for itself. Two engines on one machine would otherwise share a bridge and give
 * two containers the same address. Everything an engine leaves in the network is found again by its block.
 * @typedef {object} EngineBlock
 * @property {string} bridge The name of its bridge.
 * @property {string} prefix How its addresses begin.
 * @property {boolean} forwarded Whether the machine forwarded packets before.
 */

/**
 * Takes a free block and makes its bridge.
 * @returns {Promise<EngineBlock>}
 */
export async function takeBlock() {
  const { stdout: routes } = await execute('ip', ['-4', 'route', 'show', 'table', 'all']);
  const forwarded = readFileSync(forwarding, 'utf8').trim() === '1';
  // Were it dockerd that switched it on, it would also make the firewall drop what others forward.
  if (!forwarded) writeFileSync(forwarding, '1');
  for (let number = 200; number < 250; number += 1) {
    const prefix = `10.${number}.`;
    const bridge = `${bridges}${number}`;
    if (new RegExp(`(^|\\s)10\\.${number}\\.`, 'm').test(routes)) continue;
    if (!(await makeBridge(bridge))) continue;
    await execute('ip', ['addr', 'add', `${prefix}0.1/24`, 'dev', bridge]);
    await execute('ip', ['link', 'set', bridge, 'up']);
    return { bridge, prefix, forwarded };
  }
  throw new Error('all blocks of addresses from 10.200 to 10.249 are in use');
}

/**
 * Of several that try at the same moment the kernel lets one make the bridge.
 * @param {string} bridge
 */
async function makeBridge(bridge) {
  try {
    await execute('ip', ['link', 'add', bridge, 'type', 'bridge']);
    return true;
  } catch (error) {
    if (String(error).includes('File exists')) return false;
    throw error;
  }
}

/**
 * The options that keep dockerd inside a block.
 * @param {EngineBlock} block
 */
export function blockOptions({ bridge, prefix }) {
  return ['--bridge', bridge, '--default-address-pool', `base=${prefix}128.0/17,size=24`];
}

/**
 * The options that keep what dockerd starts in a control group.
 * @param {string} name
 */
export function groupOptions(name) {
  return ['--exec-opt', 'native.cgroupdriver=cgroupfs', '--cgroup-parent', `/${name}`];
}

/**
 * Removes what a dead engine left in the network: bridges and firewall rules.
 * @param {EngineBlock} block
 */
export async function freeBlock({ bridge, prefix, forwarded }) {
  const links = await linksOf(prefix);
  for (const table of ['filter', 'nat']) {
    const { stdout } = await execute('iptables', ['--wait', '-t', table, '-S']);
    const rules = stdout.split('\n').filter((rule) => rule.startsWith('-A '));
    for (const rule of rules) {
      const words = rule.split(' ');
      if (!words.some((word) => word.startsWith(prefix) || word === bridge || links.includes(word))) continue;
      await succeeds('iptables', ['--wait', '-t', table, '-D', ...words.slice(1)]);
    }
  }
  // The bridge goes last: while it is there nobody else takes the block.
  for (const link of links.filter((name) => name !== bridge)) await succeeds('ip', ['link', 'delete', link]);
  await succeeds('ip', ['link', 'delete', bridge]);
  const others = readdirSync('/sys/class/net').some((name) => name.startsWith(bridges));
  if (!forwarded && !others) writeFileSync(forwarding, '0');
}

/** @param {string} prefix */
async function linksOf(prefix) {
  const { stdout } = await execute('ip', ['-json', '-4', 'addr']);
  /** @type {{ ifname: string, addr_info: { local: string }[] }[]} */
  const links = JSON.parse(stdout);
  return links
    .filter(({ addr_info }) => addr_info.some(({ local }) => local?.startsWith(prefix)))
    .map(({ ifname }) => ifname);
}

/**
 * Removes the control groups that a dead engine left.
 * @param {string} name
 */
export function removeGroups(name) {
  const mount = '/sys/fs/cgroup';
  if (!existsSync(mount)) return;
  // One tree in version 2, one for each controller in version 1.
  for (const folder of [mount, ...foldersIn(mount)]) {
    if (existsSync(join(folder, name))) removeTree(join(folder, name));
  }
}

/** @param {string} folder */
function removeTree(folder) {
  for (const child of foldersIn(folder)) removeTree(child);
  rmdirSync(folder);
}

/** @param {string} folder */
function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

/**
 * @param {string} file
 * @param {string[]} args
 */
async function succeeds(file, args) {
  try {
    await execute(file, args);
    return true;
  } catch {
    // Whoever asks wants to know just that.
    return false;
  }
}
