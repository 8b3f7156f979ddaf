import type { ResilienceEvent, ResilienceEvents } from '@argusai/core';

/** What is known of a service at a moment; `pending` ones have not begun. */
export interface ServiceProgress {
  readonly name: string;
  readonly state: 'pending' | ResilienceEvents['service_state']['state'];
  readonly message: string;
  /** When what goes on with it began, and when that came to an end, by the clock of whoever asks. */
  readonly begun?: number;
  readonly ended?: number;
  readonly dependsOn: readonly string[];
  readonly builds: boolean;
}

/** What is known of the stages that concern no service alone. */
export interface StageProgress {
  readonly title: 'checks' | 'verify';
  readonly state: 'running' | 'done' | 'failed';
  readonly message: string;
  readonly begun: number;
  readonly ended?: number;
}

const titles: Readonly<Record<string, StageProgress['title']>> = { gate: 'checks', verify: 'verify' };

const ends = new Set<ServiceProgress['state']>(['built', 'ready', 'kept', 'failed', 'stopped']);

/** Keeps together what events tell of a setup or a build. */
export class SetupState {
  readonly #services = new Map<string, ServiceProgress>();
  readonly #stages = new Map<string, StageProgress>();
  #expected = 0;
  #checked = 0;

  /** The services in the order of the configuration. */
  get services(): readonly ServiceProgress[] {
    return [...this.#services.values()];
  }

  /** The stage of a title, once it has begun. */
  stage(title: StageProgress['title']): StageProgress | undefined {
    return this.#stages.get(title);
  }

  /** Takes in what has happened; gives back whether it is a part of this. */
  take(event: ResilienceEvent, now: number): boolean {
    switch (event.type) {
      case 'setup_start':
        for (const { name, dependsOn, builds } of event.data.services)
          this.#services.set(name, { name, state: 'pending', message: '', dependsOn, builds });
        return true;
      case 'setup_stage':
        this.#takeStage(event.data, now);
        return event.data.state !== 'again';
      case 'service_state':
        return this.#takeService(event.data, now);
      case 'preflight_start':
        [this.#expected, this.#checked] = [event.data.checks.length, 0];
        return true;
      case 'preflight_check':
        this.#checked += 1;
        this.#note('checks', `${Math.min(this.#checked, this.#expected)} of ${this.#expected}`);
        return true;
      case 'preflight_end':
        this.#note('checks', event.data.overall);
        return true;
      case 'network_verified':
        this.#note(
          'verify',
          event.data.allReachable ? 'every path works' : 'not every path is known to work',
        );
        return true;
      case 'port_conflict':
        return this.#remark(event.data.service, `port ${event.data.port} is taken`);
      case 'port_reassigned':
        return this.#remark(
          event.data.service,
          `gets port ${event.data.actual} instead of ${event.data.original}`,
        );
      default:
        return false;
    }
  }

  #takeStage({ stage, state }: ResilienceEvents['setup_stage'], now: number): void {
    const title = titles[stage];
    if (title === undefined || state === 'again') return;
    const before = this.#stages.get(title);
    if (state === 'started') this.#stages.set(title, { title, state: 'running', message: '', begun: now });
    else if (before) {
      const said = before.message === '' && title === 'verify' && state === 'done' ? 'all services run' : '';
      this.#stages.set(title, { ...before, state, message: before.message || said, ended: now });
    }
  }

  #takeService({ service, state, message }: ResilienceEvents['service_state'], now: number): boolean {
    const before = this.#services.get(service);
    if (!before) return false;
    // That it is taken down again says less than why.
    if (before.state === 'failed' && (state === 'stopping' || state === 'stopped')) return true;
    const { ended: _, ...rest } = before;
    // What comes after an end is something new, and so is being stopped.
    const isNew = before.ended !== undefined || (state === 'stopping' && before.state !== 'stopping');
    const begun = isNew ? now : (before.begun ?? now);
    const said = message.startsWith(`${service} `) ? message.slice(service.length + 1) : message;
    const end = ends.has(state) ? { ended: now } : {};
    this.#services.set(service, { ...rest, state, message: said, begun, ...end });
    return true;
  }

  #note(title: StageProgress['title'], message: string): void {
    const before = this.#stages.get(title);
    if (before) this.#stages.set(title, { ...before, message });
  }

  /** Says something about a service that has not begun. */
  #remark(service: string, message: string): boolean {
    const before = this.#services.get(service);
    if (before) this.#services.set(service, { ...before, message });
    return before !== undefined;
  }
}
