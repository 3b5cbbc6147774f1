import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Scratch, scratch } from '../../fakes/scratch.ts';
import { type Api, startApi, widgetCrd } from './api.ts';

const installed = spawnSync('kubectl', ['version', '--client']).status === 0;
const suite = installed ? describe : describe.skip;

suite(`kubectl against the embedded API${installed ? '' : ' (needs kubectl on the PATH)'}`, () => {
  let api: Api;
  let folder: Scratch;
  let kubeconfig: string;
  beforeAll(async () => {
    api = await startApi({ bookmarkMs: 500 });
    folder = scratch();
    kubeconfig = folder.write('kubeconfig', api.kube.adminKubeconfig);
  });
  afterAll(async () => {
    folder.remove();
    await api.close();
  });

  /** The server runs in this process, so kubectl must run beside it, not instead of it. */
  const run = (args: string, input?: string): Promise<{ status: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder.path };
      const child = spawn('kubectl', args.split(' '), { env, stdio: ['pipe', 'pipe', 'pipe'] });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk;
      });
      child.stderr.on('data', (chunk: Buffer) => {
        err += chunk;
      });
      child.on('close', (status) => resolve({ status: status ?? 1, out, err }));
      child.stdin.end(input);
    });
  const kubectl = async (args: string, input?: string): Promise<string> => {
    const { status, out, err } = await run(args, input);
    if (status !== 0) throw new Error(`kubectl ${args} ended with ${status}: ${err}`);
    return out.trim();
  };
  const map = (value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied, namespace: default}\ndata: {a: "${value}"}\n`;

  test('apply creates, configures, and leaves alone what did not change', async () => {
    expect(await kubectl('apply -f -', map('1'))).toBe('configmap/applied created');
    expect(await kubectl('apply -f -', map('2'))).toBe('configmap/applied configured');
    expect(await kubectl('apply -f -', map('2'))).toBe('configmap/applied unchanged');
    expect(await kubectl('apply --server-side --force-conflicts -f -', map('3'))).toContain('serverside-applied');
    expect(await kubectl('get cm applied -o jsonpath={.data.a}')).toBe('3');
  });

  test('apply warns of a field that a built-in kind does not have', async () => {
    const { err } = await run('apply -f -', `${map('1')}extra: 1\n`);
    expect(err).toContain('unknown field "extra"');
  });

  test('get shows columns, also those of a custom resource', async () => {
    const crd = widgetCrd({
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      ],
    });
    await kubectl('apply -f -', JSON.stringify(crd));
    await kubectl('wait --for=condition=Established crd/widgets.example.com --timeout=20s');
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } };
    expect(await kubectl('apply -f -', JSON.stringify(widget))).toBe('widget.example.com/w created');
    const typo = { ...widget, spec: { sise: 3 } };
    const refused = await run('apply -f -', JSON.stringify(typo));
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('unknown field "spec.sise"')]);
    expect(await kubectl('get wd')).toMatch(/^NAME +SIZE +READY *\nw +3/);
    expect(await kubectl('get ns default')).toMatch(/^NAME +STATUS +AGE\ndefault +Active/);
    expect(await kubectl('get all -A')).toBe('');
    expect(await kubectl('api-resources --api-group=example.com --no-headers')).toMatch(
      /^widgets +wd +example\.com\/v1 +true +Widget$/,
    );
  });

  test('explain reads the schema, built in or defined', async () => {
    expect(await kubectl('explain widgets.spec')).toMatch(/size\s+<integer>/);
    expect(await kubectl('explain deployment.spec.template.spec.containers')).toMatch(/image\s+<string>/);
  });

  test('create, label, annotate, patch, scale, describe and delete', async () => {
    await kubectl('create namespace team');
    await kubectl('create secret generic s -n team --from-literal=a=b');
    await kubectl('create deployment d -n team --image=i --replicas=0');
    expect(await kubectl('get secret s -n team -o jsonpath={.data.a}')).toBe('Yg==');
    await kubectl('label secret s -n team tier=web');
    await kubectl('annotate secret s -n team note=this');
    expect(await kubectl('get secret -n team -l tier=web -o name')).toBe('secret/s');
    await kubectl('scale deployment d -n team --replicas=2');
    await kubectl('wait deployment/d -n team --for=jsonpath={.spec.replicas}=2 --timeout=20s');
    await kubectl('patch deployment d -n team -p {"spec":{"paused":true}}');
    expect(await kubectl('describe deployment d -n team')).toMatch(/Replicas: +2 desired/);
    expect(await kubectl('delete namespace team --timeout=30s')).toBe('namespace "team" deleted');
    expect((await run('get namespace team')).err).toContain(
      'Error from server (NotFound): namespaces "team" not found',
    );
  });

  test('auth can-i answers for oneself and for a service account', async () => {
    expect(await kubectl('auth can-i delete pods')).toBe('yes');
    const other = await run('auth can-i delete pods --as=system:serviceaccount:default:default');
    expect([other.status, other.out.trim()]).toEqual([1, 'no']);
    await kubectl('create role reader --verb=get --resource=pods');
    await kubectl('create rolebinding reader --role=reader --serviceaccount=default:default');
    expect(await kubectl('auth can-i get pods --as=system:serviceaccount:default:default')).toBe('yes');
  });

  test('a token of a service account carries a kubeconfig', async () => {
    const token = await kubectl('create token default');
    expect(token.split('.')).toHaveLength(3);
    const own = folder.write('own', await api.kube.kubeconfigFor({ namespace: 'default', name: 'default' }));
    const { err } = await run(`--kubeconfig=${own} get nodes`);
    expect(err).toContain('User "system:serviceaccount:default:default" cannot list resource "nodes"');
  });
});
