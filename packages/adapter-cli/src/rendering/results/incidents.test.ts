import type { RecordedRepair, ToldIncident } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { incidentsLines } from './incidents.js';

const now = 120_000;

const shown = (incidents: readonly ToldIncident[], others = 0) =>
  paint(incidentsLines({ incidents, others }, undefined, now), { color: false });

const evidence: NonNullable<ToldIncident['evidence']> = {
  at: 0,
  status: 'exited',
  exitCode: 137,
  oomKilled: true,
  startedAt: 0,
  endedAt: 1,
  memory: { limit: 24_000_000, peak: 24_000_000 },
  health: [],
  details: {},
  diagnosis: {},
  gaps: [],
  lines: Array.from({ length: 12 }, (_, index) => ({ stream: 'stdout' as const, text: `line ${index + 1}` })),
};
const restart: ToldIncident['restarts'][number] = {
  attempt: 1,
  at: 0,
  reason: 'OOM',
  code: 'CONTAINER_OOM',
  delayMs: 2_000,
  evidence,
  verdict: 'healthy',
  durationMs: 30,
};
const incident: ToldIncident = {
  service: 'web',
  runId: 'r1',
  startedAt: 0,
  endedAt: 9,
  outcome: 'recovered',
  restarts: [restart],
  error: {
    code: 'CONTAINER_OOM',
    category: 'container',
    severity: 'recoverable',
    timestamp: 0,
    message: 'web ran out of memory',
    details: {},
    suggestedActions: [],
  },
};

const { durationMs: _, ...begun } = restart;

describe('incidents', () => {
  it('say where they were when that is another folder of a project of the same name', () => {
    const at = (folder: string) =>
      paint(incidentsLines({ incidents: [{ ...incident, worktree: '/shop' }], others: 0 }, folder, now), {
        color: false,
      });
    expect(at('/other')).toContain('  CONTAINER_OOM, began 2 min ago, in /shop\n');
    expect(at('/shop')).toContain('  CONTAINER_OOM, began 2 min ago\n');
  });

  it('are shown with what happened, each restart and the last lines', () => {
    expect(shown([incident])).toBe(
      [
        'web recovered, 1 restart: web ran out of memory',
        '  CONTAINER_OOM, began 2 min ago',
        '  restart 1 after 2 s: OOM; healthy in 30 ms',
        '  exited, exit code 137, out of memory, memory limit 24 MB, memory peak 24 MB',
        '  its last lines (of 12):',
        ...Array.from({ length: 10 }, (_, index) => `    | line ${index + 3}`),
        '',
      ].join('\n'),
    );
  });

  it('are shown as repaired where nothing was restarted', () => {
    const repair = {
      ...restart,
      repaired: ['web: connected to its network again'],
      withoutRestart: true as const,
    };
    const text = shown([{ ...incident, restarts: [repair] }]);
    expect(text).toContain('web recovered, 1 repair: web ran out of memory\n');
    expect(text).toContain(
      '  repair 1 after 2 s: OOM; web: connected to its network again; healthy in 30 ms\n',
    );
    expect(shown([{ ...incident, restarts: [{ ...restart, verdict: 'not-needed' }] }])).toContain(
      'web recovered: web ran',
    );
  });

  it('are shown with what the health check and plugins said, and what is not known', () => {
    const hung = {
      ...evidence,
      status: 'running' as const,
      exitCode: null,
      oomKilled: false,
      lines: [],
      memory: { limit: null, peak: null },
      health: ['1', '2', '3', '4'],
      gaps: ['the last lines: no'],
      diagnosis: { dns: { ok: false } },
    };
    const open: ToldIncident = {
      ...incident,
      suite: 'smoke',
      endedAt: null,
      outcome: 'open',
      evidence: hung,
      restarts: [{ ...begun, delayMs: 0, verdict: 'pending' }],
    };
    expect(shown([open], 3)).toBe(
      [
        'web open, a restart under way: web ran out of memory',
        '  CONTAINER_OOM, began 2 min ago, during smoke',
        '  restart 1 at once: OOM; pending',
        '  running',
        '  health check: 2',
        '  health check: 3',
        '  health check: 4',
        '  dns: {"ok":false}',
        '  missing: the last lines: no',
        '3 more incidents are known: argus incidents --all --last 4 shows them, --format json shows everything',
        '',
      ].join('\n'),
    );
  });

  it('say when there are none', () => {
    expect(shown([])).toBe('nothing was recorded since the services are guarded\n');
    expect(shown([], 2)).toBe(
      'nothing was recorded since the services are guarded\n2 incidents of other services or runs are known: argus incidents --all shows them\n',
    );
    expect(shown([], 1)).toBe(
      'nothing was recorded since the services are guarded\n1 incident of another service or run is known: argus incidents --all shows it\n',
    );
    expect(shown([incident], 1)).toContain(
      '\n1 more incident is known: argus incidents --all --last 2 shows it, --format json shows everything\n',
    );
    const unguarded = { incidents: [], others: 0, guarded: false };
    expect(paint(incidentsLines(unguarded), { color: false })).toBe(
      'nothing was recorded, because nobody guards the services; argus setup --guard starts a guardian\n',
    );
    expect(paint(incidentsLines({ ...unguarded, guarded: null }), { color: false })).toBe(
      'nothing was recorded, and nothing is up\n',
    );
    expect(shown([{ ...incident, restarts: [] }])).toMatch(/^web recovered: .*\n.*\n$/);
  });
});

describe('repairs', () => {
  const at = 0;
  const step = {
    recoverer: 'things.mend',
    risk: 'safe' as const,
    target: 'thing:1',
    action: 'mend',
    findings: [{ check: 'things.whole', code: 'THING_BROKEN' }],
  };
  const about = '  things.mend, safe, 2 min ago, for things.whole (THING_BROKEN)';
  const repaired = (repair: Omit<RecordedRepair, keyof typeof step | 'at'>, otherRepairs = 0) =>
    paint(
      incidentsLines(
        { guarded: null, incidents: [], others: 0, repairs: [{ ...step, at, ...repair }], otherRepairs },
        undefined,
        120_000,
      ),
      { color: false },
    );

  it('are shown with what came of them and what was kept before', () => {
    const evidence = { problems: [], log: `one\n${'x'.repeat(300)}`, exitCode: 3 };
    expect(repaired({ endedAt: 5, outcome: 'applied', verdict: 'recovered', evidence }, 2)).toBe(
      [
        'mend thing:1: recovered',
        about,
        `  before: log: one ${'x'.repeat(196)}…`,
        '  before: exitCode: 3',
        '2 more repairs are known: argus incidents --last 3 shows them, --format json shows everything',
        '',
      ].join('\n'),
    );
  });

  it.each<[Omit<RecordedRepair, keyof typeof step | 'at'>, string]>([
    [{ endedAt: null, outcome: 'open' }, 'begun, and no end is recorded: it goes on, or was killed'],
    [{ endedAt: 1, outcome: 'interrupted', verdict: 'ineffective' }, 'perhaps partly done; ineffective'],
    [
      { endedAt: 1, outcome: 'refused', refusal: { rule: 'budget', reason: 'budget: 2 of 2' } },
      `refused\n${about}\n  refused by budget: 2 of 2`,
    ],
    [{ endedAt: 1, outcome: 'failed', error: incident.error }, '  web ran out of memory (CONTAINER_OOM)'],
  ])('tell what became of them: %j', (repair, text) => {
    expect(repaired(repair)).toContain(text);
  });

  it('of something else than the service that was asked for are counted', () => {
    const none = { guarded: null, incidents: [], others: 0, repairs: [], otherRepairs: 3 };
    expect(paint(incidentsLines({ ...none, otherRepairs: 1 }), { color: false })).toContain(
      '\n1 repair of something else is known: argus incidents shows it\n',
    );
    expect(repaired({ endedAt: 1, outcome: 'applied' }, 1)).toContain(
      '\n1 more repair is known: argus incidents --last 2 shows it, --format json',
    );
    expect(paint(incidentsLines(none), { color: false })).toBe(
      'nothing was recorded, and nothing is up\n3 repairs of something else are known: argus incidents shows them\n',
    );
  });
});
