import type { PortMapping } from '../../config/port-mapping.js';
import type { ArgusConfig } from '../../config/schema.js';

type ConfiguredService = ArgusConfig['services'][string];
type ConfiguredMock = ArgusConfig['mocks'][string];

/** How an image is built; paths are absolute. */
export interface BuildSpec {
  readonly context: string;
  readonly dockerfile?: string;
  readonly args: Readonly<Record<string, string>>;
  readonly target?: string;
}

/** How to tell that a service is ready and well. */
export type HealthSpec = NonNullable<ConfiguredService['healthcheck']>;

/** What a mock answers. */
export type MockRoute = NonNullable<ConfiguredMock['routes']>[number];

/** One service or mock of an environment, as a runtime runs it. */
export interface ServiceSpec {
  readonly name: string;
  readonly kind: 'service' | 'mock';
  /** The image to run; with `build`, the name that the built image gets. */
  readonly image?: string;
  readonly build?: BuildSpec;
  readonly command?: string | readonly string[];
  readonly entrypoint?: string | readonly string[];
  /** What a mock without an image answers. */
  readonly routes?: readonly MockRoute[];
  /** Published ports. After the ports are resolved, `host` is the port it really has, or null for any. */
  readonly ports: readonly PortMapping[];
  /** Where else its health check asks on this machine, and it alone is to answer. */
  readonly askedAt?: PortMapping;
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: HealthSpec;
  /** Services and mocks that must be ready before it starts. */
  readonly dependsOn: readonly string[];
  readonly restartWith: readonly string[];
  /** It does its work and ends; exit code 0 means ready. */
  readonly oneShot: boolean;
  readonly vars: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  /** Whether an init of the engine is the first process of its container. */
  readonly init?: boolean;
  /** Bytes. */
  readonly memory?: number;
  readonly cpus?: number;
  readonly user?: string;
}

/** The services and mocks of one project. */
export interface EnvironmentSpec {
  readonly services: readonly ServiceSpec[];
}
