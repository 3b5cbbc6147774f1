/** With the kubeconfig of the first argument: pod1 has ended, and pod3 has its addresses, the further arguments. */
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { podsType } from '../../../runtime/nmi/objects.ts';
import { addPod } from './add-pod.ts';

const [kubeconfig = '', ...addresses] = process.argv.slice(2);
const client = createKubeClient(loadKubeConnection({ kubeconfig }));
await client.delete(podsType, { namespace: 'default', name: 'pod1' }, { gracePeriodSeconds: 0 });
await addPod(client, 'pod3', addresses);
await client.close();
process.stdout.write('given on\n');
