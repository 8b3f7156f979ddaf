/** The part of `docker inspect` of a container that is read here. */
export interface ContainerJson {
  readonly Id: string;
  /** Begins with a slash. */
  readonly Name: string;
  readonly Created: string;
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    /** It counts as running then. */
    readonly Paused: boolean;
    readonly OOMKilled: boolean;
    /** When that was, in milliseconds since the epoch, where the events of the engine tell; `docker inspect` does not. */
    readonly oomAt?: number;
    readonly ExitCode: number;
    readonly Error: string;
    readonly StartedAt: string;
    readonly FinishedAt: string;
    readonly Health?: {
      readonly Status: string;
      readonly FailingStreak: number;
      readonly Log: readonly { readonly ExitCode: number; readonly Output: string }[] | null;
    };
  };
  readonly Config: {
    readonly Labels: Readonly<Record<string, string>> | null;
    /** By which signal it is asked to end, where that is not left to the engine. */
    readonly StopSignal?: string;
  };
  readonly HostConfig: { readonly Memory: number };
  readonly NetworkSettings: {
    readonly Ports: Readonly<
      Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[] | null>
    > | null;
    /** The networks that it is on, by their names. */
    readonly Networks: Readonly<
      Record<string, { readonly IPAddress?: string; readonly GlobalIPv6Address?: string }>
    > | null;
  };
}
