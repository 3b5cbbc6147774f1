import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import type { EmbeddedKube } from '../../../sandbox/kube/index.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import type { Applier } from './apply.ts';
import type { LocalNode } from './local-container.ts';
import type { Progress } from './progress.ts';

/** What every part of the demonstration works with. */
export interface DemoWorld {
  readonly progress: Progress;
  /** Where kubeconfigs, certificates and logs go. */
  readonly directory: string;
  /** Ends the demonstration early. */
  readonly signal: AbortSignal;
  readonly kube: Pick<EmbeddedKube, 'url' | 'caPem' | 'issuerUrl'>;
  readonly azure: EmbeddedAzure;
  /** With a cluster administrator's rights. */
  readonly client: KubeClient;
  readonly applier: Applier;
  /** The one node of the cluster: this computer. */
  readonly node: LocalNode;
  /** Called in reverse order when the demonstration ends. */
  readonly atEnd: (close: () => Promise<void>) => void;
}
