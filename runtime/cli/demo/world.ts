import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import type { EmbeddedKube } from '../../../sandbox/kube/index.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import type { Applier } from './apply.ts';
import type { LocalNode } from './pods/local-container.ts';
import type { Progress } from './progress.ts';

/** An embedded Azure, also of another process: the members fixed at its start. Its admin endpoint does the rest. */
export type DemoAzure = Pick<
  EmbeddedAzure,
  'tenantId' | 'subscriptionId' | 'endpoints' | 'caPem' | 'caFile' | 'adminToken' | 'defaultApp' | 'env'
>;

/** CPU request and memory limit of a container of the manifests. */
export interface ProgramResources {
  /** CPU request, thousandths of a processor. */
  readonly milliCpu: number;
  /** Memory limit. */
  readonly mebibytes: number;
}

/** The state that every part of the demonstration shares. */
export interface DemoWorld {
  readonly progress: Progress;
  /** Directory for kubeconfigs, certificates and logs. */
  readonly directory: string;
  /** Ends the demonstration early. */
  readonly signal: AbortSignal;
  readonly kube: Pick<EmbeddedKube, 'url' | 'caPem' | 'issuerUrl'>;
  readonly azure: DemoAzure;
  /** A client with a cluster administrator's permissions. */
  readonly client: KubeClient;
  readonly applier: Applier;
  /** The bundle that programs run from. @default the sources */
  readonly program?: string;
  /** The command that starts a program of this name, before its own. @default none */
  readonly launcher?: (name: string, resources: ProgramResources) => readonly string[];
  /** The one node of the cluster: this computer. */
  readonly node: LocalNode;
  /** Registers a callback; callbacks run in reverse order when the demonstration ends. */
  readonly atEnd: (close: () => Promise<void>) => void;
}
