import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnNode } from '../../../runtime/cli/demo/programs/child-node.ts';
import { run } from '../../../runtime/cli/demo/programs/run.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { recordDirectory, writeRecord } from '../../../runtime/volumes/driver/mount-record.ts';
import { type Attack, unless } from './attack.ts';
import { eventsAbout, pairOf, podOf } from './hostile-pods.ts';
import { hostile } from './tenant-setup.ts';
import { mountOf } from './volume-attacks.ts';

const limitMs = 60_000;
const links = 600_000;
const nobody = 65_534;
/** Whether the tmpfs of the attack could be mounted. */
const isRoot = process.getuid?.() === 0;

let linked = '';
let heard = 0;
const refusals: string[] = [];
const provider: string[] = [];
const classes: object[] = [];

/** What fills a directory with links, in a process of its own. */
const linker = `const fs = require('node:fs'); const [, directory, count] = process.argv;
fs.writeFileSync(directory + '/0', '');
for (let each = 1; each < Number(count); each++) fs.linkSync(directory + '/0', directory + '/' + each);`;

const fullObject = (index: number) => `- |
  objectName: name-${index}
  objectType: secret
  objectVersion: "0123456789abcdef0123456789abcdef"
  objectAlias: directory/file-with-a-long-name-${index}.pem
  objectFormat: pem
  objectEncoding: utf-8
  objectVersionHistory: 4
`;

/** Attacks on the volume agent from the node: B6, and of C5 those by files and by the CSI driver. */
export const agentAttacks: readonly Attack[] = [
  {
    point: 'B6',
    name: 'a process listens where the host token went, and at the place of the socket, while the daemon is away',
    writes: ({ identities }) => pairOf('squatted', identities.hostile.id, identities.hostile.clientId),
    async acts(world) {
      await podOf(world, 'squatted');
      const listener = createServer((socket) => {
        heard += 1;
        socket.destroy();
      });
      await once(listener.listen(0, '127.0.0.1'), 'listening');
      const { port } = listener.address() as AddressInfo;
      const directory = await mkdtemp(join(tmpdir(), 'azimuth-'));
      const squatter = createServer((socket) => {
        heard += 1;
        socket.destroy();
      });
      const place = join(directory, 'nmi.sock');
      await once(squatter.listen(place), 'listening');
      if (isRoot) await chown(directory, nobody, nobody);
      world.atEnd(async () => {
        for (const server of [listener, squatter]) server.close();
        await rm(directory, { recursive: true, force: true });
      });
      for (const socket of [join(directory, 'absent', 'nmi.sock'), place]) {
        const agent = await world.startAgent(socket, {
          args: [`--nmi-port=${port}`],
          settings: { deadlineSeconds: 5 },
        });
        const call = mountOf(world, await world.uidOf('squatted'), 'squatted', {
          keyvaultobjectnames: 'password',
          keyvaultobjecttypes: 'secret',
        });
        const answer = await askAgent(call, {
          socket: agent.socket,
          timeoutMs: limitMs,
          signal: AbortSignal.timeout(limitMs),
        }).then(
          () => 'mounted',
          (error: Error) => error.message,
        );
        refusals.push(answer);
        await agent.program.process.stop();
      }
    },
    seen: async () => refusals.length === 2,
    async broken() {
      if (heard > 0) return `the squatters got ${heard} connections`;
      const refused = refusals.every((answer) => /node daemon|socket/i.test(answer));
      return unless(refused, `the agent said: ${refusals.join('; ')}`);
    },
  },
  {
    point: 'C5',
    name: `a pod fills the tmpfs of a volume that is kept up to date with ${links} links`,
    writes: ({ identities }) => pairOf('linker', identities.hostile.id, identities.hostile.clientId),
    async acts(world) {
      if (!isRoot) throw new Error('it needs root, to mount a tmpfs as the driver does');
      await podOf(world, 'linker');
      const uid = await world.uidOf('linker');
      const root = await mkdtemp(join(tmpdir(), 'azimuth-'));
      linked = join(root, 'pods', uid, 'volumes', 'azure~kv', 'vault');
      await mkdir(linked, { recursive: true });
      const stop = new AbortController();
      // As version 0.1 mounted it, without a limit of inodes.
      await run(['mount', '-t', 'tmpfs', '-o', 'size=64m,nr_inodes=0', 'tmpfs', linked], {
        cwd: root,
        signal: stop.signal,
      });
      world.atEnd(async () => {
        await run(['umount', linked], { cwd: root });
        await rm(root, { recursive: true, force: true });
      });
      const child = spawnNode(['-e', linker, linked, String(links)], {});
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`the links could not be made: ${code}`);
      const options = { keyvaultobjectnames: 'password', keyvaultobjecttypes: 'secret', refresh: '10' };
      const { document } = mountOf(world, uid, 'linker', options);
      writeRecord(recordDirectory(world.agentSocket), { directory: linked, document, versions: { password: 'older' } });
    },
    seen: async (world) =>
      (await eventsAbout(world, 'linker')).some(
        ({ reason, note }) => reason === 'VaultRefreshFailed' && /more than \d+ files and links/.test(String(note)),
      ),
    async broken(world) {
      // Its memory is printed, not judged: without the limit of a container, V8 collects garbage late.
      const { volumes } = await world.memory();
      return unless(Number.isFinite(volumes), 'the agent does not answer');
    },
  },
  {
    point: 'C5',
    name: 'SecretProviderClasses have sixty thousand keys and as many objects',
    async acts(world) {
      const { namespace, name } = { namespace: hostile, name: 'classes' };
      await podOf(world, name);
      const pod = {
        'csi.storage.k8s.io/pod.name': name,
        'csi.storage.k8s.io/pod.namespace': namespace,
        'csi.storage.k8s.io/pod.uid': await world.uidOf(name),
      };
      const numbers = Array.from({ length: 60_000 }, (_, index) => index);
      const own = {
        keyvaultName: `azimuth-${hostile}`,
        usePodIdentity: 'true',
        tenantId: world.azure.tenantId,
        ...pod,
      };
      const objects = `array:\n${numbers.map((index) => `- |\n  objectName: n${index}\n`).join('')}`;
      const map = `array:\n- |\n  objectName: password\n${numbers.map((index) => `  k${index}: x\n`).join('')}`;
      classes.push(
        { ...own, objects },
        { ...own, objects: map },
        {
          ...own,
          objects: 'array: []',
          ...Object.fromEntries(numbers.slice(0, 30_000).map((index) => [`k${index}`, 'x'])),
        },
        // The most that is read: it is not refused before its objects are.
        { ...own, objects: `array:\n${numbers.slice(0, 500).map(fullObject).join('')}` },
        { ...own, objects: `array: [${'a,'.repeat(60_000)}]` },
      );
    },
    seen: async () => classes.length > 0,
    async during(world, signal) {
      const job = { provider: world.csiSocket, attributes: classes };
      for await (const answer of world.kubelet.run(job, signal)) provider.push(answer);
    },
    async broken() {
      const bounded = provider.filter((details) => /more than \d+/.test(details));
      return unless(
        bounded.length >= 2,
        `did not happen: ${provider.slice(0, 3).join('; ').slice(0, 500) || 'no answer'}`,
      );
    },
  },
];
