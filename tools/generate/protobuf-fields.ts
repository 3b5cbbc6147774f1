/**
 * Writes sandbox/kube/generated/protobuf-fields.json: the field numbers, names and types of Kubernetes' built-in
 * kinds on the wire, read from the struct tags in a checkout of Kubernetes. Run it by hand, once for a new kind:
 *
 *   node tools/generate/protobuf-fields.ts <kubernetes>/staging/src/k8s.io
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const packages: Record<string, string> = {
  'core/v1': 'api/core/v1/types.go',
  'apps/v1': 'api/apps/v1/types.go',
  'batch/v1': 'api/batch/v1/types.go',
  'rbac.authorization.k8s.io/v1': 'api/rbac/v1/types.go',
  'coordination.k8s.io/v1': 'api/coordination/v1/types.go',
  'events.k8s.io/v1': 'api/events/v1/types.go',
  'policy/v1': 'api/policy/v1beta1/types.go',
  'networking.k8s.io/v1': 'api/networking/v1/types.go',
  'scheduling.k8s.io/v1': 'api/scheduling/v1/types.go',
  'storage.k8s.io/v1': 'api/storage/v1/types.go',
  'authentication.k8s.io/v1': 'api/authentication/v1/types.go',
  'authorization.k8s.io/v1': 'api/authorization/v1/types.go',
  'autoscaling/v1': 'api/autoscaling/v1/types.go',
  'meta/v1': 'apimachinery/pkg/apis/meta/v1/types.go',
};
/** Import names of the Go files, and the package they stand for. */
const imports: Record<string, string> = { v1: 'core/v1', corev1: 'core/v1', metav1: 'meta/v1' };
const roots = [
  ...[
    'Namespace',
    'Secret',
    'ConfigMap',
    'ServiceAccount',
    'Pod',
    'Node',
    'Service',
    'Endpoints',
    'Event',
    'Binding',
  ].map((kind) => `core/v1.${kind}`),
  ...['PersistentVolume', 'PersistentVolumeClaim'].map((kind) => `core/v1.${kind}`),
  ...['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'].map((kind) => `apps/v1.${kind}`),
  'batch/v1.Job',
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/v1.${kind}`),
  'coordination.k8s.io/v1.Lease',
  'events.k8s.io/v1.Event',
  ...['PodDisruptionBudget', 'Eviction'].map((kind) => `policy/v1.${kind}`),
  ...['NetworkPolicy', 'Ingress', 'IngressClass'].map((kind) => `networking.k8s.io/v1.${kind}`),
  'scheduling.k8s.io/v1.PriorityClass',
  ...['StorageClass', 'CSIDriver'].map((kind) => `storage.k8s.io/v1.${kind}`),
  ...['TokenReview', 'TokenRequest'].map((kind) => `authentication.k8s.io/v1.${kind}`),
  ...['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'].map(
    (kind) => `authorization.k8s.io/v1.${kind}`,
  ),
  'autoscaling/v1.Scale',
  'meta/v1.DeleteOptions',
];

interface GoField {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly inline: boolean;
  /** JSON has it even where it is zero: a pointer, or a member without omitempty. */
  readonly kept: boolean;
}
const structs = new Map<string, GoField[]>();
const aliases = new Map<string, string>();
for (const [name, file] of Object.entries(packages)) {
  let current: GoField[] | undefined;
  for (const line of readFileSync(join(process.argv[2] ?? '.', file), 'utf8').split('\n')) {
    const opened = /^type (\w+) struct/.exec(line);
    const alias = /^type (\w+) ([\w.[\]*]+)$/.exec(line);
    if (opened) {
      current = [];
      structs.set(`${name}.${opened[1]}`, current);
    } else if (line === '}') current = undefined;
    else if (alias) aliases.set(`${name}.${alias[1]}`, alias[2] as string);
    const field = /^\t(?:\w+\s+)?([\w.[\]*]+)\s+`(.*)`/.exec(line);
    const wire = field && /protobuf:"\w+,(\d+),[^"]*name=(\w+)/.exec(field[2] as string);
    const json = field && /json:"([^",]*)(,inline)?/.exec(field[2] as string);
    if (current && field && wire)
      current.push({
        number: Number(wire[1]),
        name: json?.[1] || (wire[2] as string),
        type: field[1] as string,
        inline: json?.[2] !== undefined,
        kept: (field[1] as string).startsWith('*') || !(field[2] as string).includes('omitempty'),
      });
  }
}

const special: Record<string, string> = {
  'metav1.Time': 'time',
  Time: 'time',
  'metav1.MicroTime': 'microtime',
  MicroTime: 'microtime',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intorstring',
  'runtime.RawExtension': 'raw',
  FieldsV1: 'fields',
};
const wanted = new Set<string>();

/** The type of a field in the notation of sandbox/kube/http/protobuf.ts; follows aliases, asks for messages. */
function typeOf(go: string, home: string): string {
  const bare = go.replace(/^\*/, '');
  const mapped = /^map\[[\w.]+\](.+)$/.exec(bare);
  if (mapped) return `map:${typeOf(mapped[1] as string, home)}`;
  if (bare === '[]byte') return 'bytes';
  if (bare.startsWith('[]')) return `list:${typeOf(bare.slice(2), home)}`;
  if (special[bare]) return special[bare];
  if (bare === 'string' || bare === 'bool') return bare;
  if (/^u?int(32|64)?$/.test(bare)) return 'int';
  const [left, right] = bare.split('.');
  const key = right ? `${imports[left as string] ?? left}.${right}` : `${home}.${bare}`;
  const alias = aliases.get(key);
  if (alias?.startsWith('[]')) return `items:${typeOf(alias.slice(2), home)}`;
  if (alias) return typeOf(alias, key.split('.').slice(0, -1).join('.'));
  if (!structs.has(key)) return 'string'; // types.UID and the like are strings on the wire
  wanted.add(key);
  return key;
}

const kept = (type: string, field: GoField) =>
  /^(string|bool|int)$/.test(type) ? field.kept : structs.has(type) && field.type.startsWith('*');

const messages: Record<string, [number: number, name: string, type: string][]> = {};
for (const root of roots) wanted.add(root);
for (const key of wanted) {
  const fields = structs.get(key);
  if (!fields) throw new Error(`Expected a struct ${key} in the Go files`);
  const home = key.split('.').slice(0, -1).join('.');
  messages[key] = fields
    .filter(({ number }) => Number.isFinite(number))
    .map((field) => {
      const type = typeOf(field.type, home);
      return [field.number, field.inline ? '' : field.name, kept(type, field) ? `${type}?` : type];
    });
}
// Newer than the checkout these tables were made from.
messages['authentication.k8s.io/v1.SelfSubjectReview'] ??= [[1, 'metadata', 'meta/v1.ObjectMeta']];
const lines = Object.entries(messages)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, fields]) => `  ${JSON.stringify(key)}: ${JSON.stringify(fields)}`);
writeFileSync('sandbox/kube/generated/protobuf-fields.json', `{\n${lines.join(',\n')}\n}\n`);
console.log(`${lines.length} messages`);
