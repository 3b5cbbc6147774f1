/** The package, as somebody has it who installs it from `npm pack`: in an empty project, without this repository. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { cdk8sCli, npmProgram } from '../fakes/npm-program.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { compile, nodeOf, projectWithAzimuth, repositoryCompiler, run, tarball } from './installed-package.ts';

const example = 'docs/guides/using-the-package/shop.ts';
const directory = mkdtempSync(join(tmpdir(), 'azimuth-package-'));
const esm = join(directory, 'esm');
const commonjs = join(directory, 'commonjs');
const installed = join(esm, 'node_modules', 'azimuth');

beforeAll(async () => {
  await projectWithAzimuth(esm, 'module');
  await projectWithAzimuth(commonjs, 'commonjs');
  compile(esm, example, repositoryCompiler, { module: 'nodenext' });
  // What `cdk8s init typescript-app` writes.
  compile(commonjs, example, npmProgram('typescript@5.9.3', 'tsc'), { module: 'commonjs', esModuleInterop: true });
}, 900_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

test('azimuth brings no package, no script of its own and no source, and has a licence for each part of it', () => {
  const packages = readdirSync(join(esm, 'node_modules')).filter((name) => !name.startsWith('.'));
  // The empty package of the override, which npm installs where its cache has it.
  const override = join(esm, 'node_modules', 'backport', 'package.json');
  if (packages.includes('backport')) expect(JSON.parse(readFileSync(override, 'utf8')).name).toBe('noop2');
  expect(packages.filter((name) => name !== 'backport')).toEqual(['azimuth', 'cdk8s', 'cdk8s-plus-27', 'constructs']);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies ?? {}).toEqual({});
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(pre|post)?(install|prepare|uninstall)$/.test(name))).toEqual([]);
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
  expect(globSync('**/*.ts', { cwd: installed }).filter((path) => !path.endsWith('.d.ts'))).toEqual([]);
  const licences = readFileSync(join(installed, 'dist/package/LICENSES.txt'), 'utf8');
  for (const name of ['undici', 'jose', '@marcbachmann/cel-js', 'pkijs', '@azure/arm-storage'])
    expect(licences).toContain(`\n${name} `);
});

test('the tarball is below 4 MB and what it installs below 15 MB, and the guide has both sizes', async () => {
  const guide = readFileSync('docs/guides/using-the-package.md', 'utf8');
  const stated = (row: string) => Number(new RegExp(`^\\| \`${row}.* ([0-9.]+) MB \\|$`, 'm').exec(guide)?.[1]) * 1e6;
  const sizes = [
    [statSync(await tarball()).size, stated('azimuth-0'), 4e6],
    [bytesOf(installed), stated('node_modules/azimuth'), 15e6],
  ] as const;
  for (const [size, inGuide, limit] of sizes) {
    expect(size).toBeLessThan(limit);
    expect(Math.abs(size / inGuide - 1)).toBeLessThan(0.1);
  }
});

test('editors show what Azure says about a field', () => {
  const types = join(installed, 'dist/package/types/runtime/api/generated/storage/storage-account.d.ts');
  expect(readFileSync(types, 'utf8')).toMatch(/\* [A-Z].*access tier.*\n +\* @default .*\n +\*\/\n +accessTier\?:/i);
});

test('definitions of the kinds that manifests name say what the fields mean, and others only on request', () => {
  const manifests = join(directory, 'used.yaml');
  writeFileSync(manifests, 'apiVersion: storage.azure.com/v20230101\nkind: StorageAccount\nmetadata: { name: a }\n');
  const definitions = (env: NodeJS.ProcessEnv) => {
    const output = mkdtempSync(join(directory, 'synth-'));
    run(process.execPath, [join(installed, 'dist/package/main.mjs'), '--output', output], esm, env);
    return readFileSync(join(output, '0000-azimuth-crds.k8s.yaml'), 'utf8');
  };
  const texts = (yaml: string) => yaml.match(/^ +description: .*access tier/gm)?.length ?? 0;
  const used = { AZIMUTH_KINDS: `used:${manifests}` };
  expect(texts(definitions({ AZIMUTH_KINDS: 'storage.azure.com/StorageAccount' }))).toBe(0);
  const newest = texts(definitions(used));
  expect(newest).toBeGreaterThan(0);
  expect(texts(definitions({ ...used, AZIMUTH_DESCRIPTIONS: 'all' }))).toBeGreaterThan(newest);
  expect(texts(definitions({ ...used, AZIMUTH_DESCRIPTIONS: 'none' }))).toBe(0);
});

test('each file that can be imported has a source map with its sources, and declarations without packages of the repository', () => {
  const maps = globSync('dist/package/{index,kinds/*}.mjs', { cwd: installed });
  for (const path of maps) {
    const map = JSON.parse(readFileSync(join(installed, `${path}.map`), 'utf8'));
    expect(map.sourcesContent).toHaveLength(map.sources.length);
  }
  const packages = globSync('dist/package/types/**/*.d.ts', { cwd: installed }).flatMap((path) => {
    // A description may say: from "00:00".
    const text = readFileSync(join(installed, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    return [...text.matchAll(/(?:from |import\()['"]([^.'"][^'"]*)['"]/g)].map(([, name]) => name);
  });
  expect([...new Set(packages)].sort()).toEqual(['cdk8s', 'cdk8s-plus-27', 'constructs']);
});

for (const major of [20, 22, 24]) {
  const node = nodeOf(major);
  const required = process.env['AZIMUTH_NODE_TESTS'] === 'required';
  if (node === undefined && !required) {
    test.skip(`NOT RUN: the package on Node ${major}, which npm could not get; CI runs it`, () => undefined);
    continue;
  }
  describe(`on Node ${major}`, () => {
    const on = (args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv) => run(node ?? 'node', args, cwd, env);

    test('the example writes the same manifests as a module and as CommonJS', () => {
      expect(on(['--version'], esm)).toMatch(`v${major}.`);
      for (const project of [esm, commonjs]) on(['built/shop.js'], project, { CDK8S_OUTDIR: `dist-${major}` });
      const manifests = readdirSync(join(esm, `dist-${major}`));
      expect(manifests).toEqual(['0000-azimuth-crds.k8s.yaml', '0001-azimuth-programs.k8s.yaml', '0002-shop.k8s.yaml']);
      for (const name of manifests) {
        const text = readFileSync(join(esm, `dist-${major}`, name), 'utf8');
        expect(readFileSync(join(commonjs, `dist-${major}`, name), 'utf8')).toBe(text);
      }
    });

    test('a stack trace names lines of the sources', () => {
      const program = `
        import { App, Chart } from 'cdk8s';
        import { AzureResource } from 'azimuth';
        new AzureResource(new Chart(new App(), 'c'), 'x', { kind: 'storage.azure.com/None', metadata: {}, spec: {} });`;
      const failing = () => on(['--enable-source-maps', '--input-type=module', '-e', program], esm);
      expect(failing).toThrow(/AZ_KIND_UNKNOWN|Expected a kind/);
      expect(failing).toThrow(/constructs\/azure-resource\.ts:\d+/);
    });

    test('the published names are those of the page of the public API, and no other file can be imported', () => {
      const page = readFileSync('docs/reference/public-api.md', 'utf8');
      const [own = '', kinds = ''] = page.split('## Names of `azimuth`')[1]?.split('## Classes of the kinds') ?? [];
      const named = (row: string) => [...row.matchAll(/`([A-Za-z0-9]+)`/g)].map(([, name]) => name);
      const values = own.split('\n').filter((row) => /^\| (class|function|value) /.test(row));
      const rows = [...kinds.matchAll(/^\| `(azimuth\/kinds\/[a-zA-Z]+)` \| (.*)\|$/gm)];
      expect(rows.length).toBeGreaterThan(15);
      const program = `
        const names = {};
        for (const path of process.argv.slice(1)) names[path] = Object.keys(await import(path)).sort();
        const refused = await import('azimuth/dist/package/index.mjs').catch(({ code }) => code);
        console.log(JSON.stringify({ names, refused }));`;
      const paths = ['azimuth', ...rows.map(([, path = '']) => path)];
      const { names, refused } = JSON.parse(on(['--input-type=module', '-e', program, ...paths], esm));
      expect(refused).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
      expect(values.flatMap(named).filter((name) => !names['azimuth'].includes(name))).toEqual([]);
      const documented = new Set([...values.flatMap(named), ...rows.flatMap(([, , row = '']) => named(row))]);
      const groups = rows.map(([, path = '']) => path.slice('azimuth/kinds/'.length));
      expect(names['azimuth'].filter((name: string) => !documented.has(name) && !groups.includes(name))).toEqual([]);
      for (const [, path = '', row = ''] of rows) expect(names[path]).toEqual(named(row).sort());
    });

    test('the rules of an organisation hold under cdk8s synth, from the folder that the guide names', async () => {
      const guide = readFileSync('docs/guides/organisation-rules.md', 'utf8');
      const [, folder = ''] = /^ {2}- package: (\S+)$/m.exec(guide) ?? [];
      const cli = await cdk8sCli();
      const app = `
        import { App, Chart } from 'cdk8s';
        import { StorageAccount } from 'azimuth';
        const [app, owner] = [new App(), { armId: '/subscriptions/s/resourceGroups/g' }];
        const spec = { location: 'eastus', owner, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
        new StorageAccount(new Chart(app, 'shop'), 'logs', { spec });
        app.synth();`;
      const project = join(esm, `rules-${major}`);
      mkdirSync(join(project, 'dist'), { recursive: true });
      symlinkSync(join(esm, 'node_modules'), join(project, 'node_modules'));
      writeFileSync(join(project, 'app.mjs'), app);
      const report = (allowedRegions: string[]) => {
        const rules = { package: folder, class: 'OrganisationRules', version: '0.1.0', properties: { allowedRegions } };
        const config = { language: 'typescript', app: `${node} app.mjs`, output: 'dist', validations: [rules] };
        writeFileSync(join(project, 'cdk8s.yaml'), JSON.stringify(config));
        // The command replaces no report.
        const file = `${allowedRegions[0]}.json`;
        on([cli, 'synth', '--check-upgrade=false', '--validation-reports-output-file', file], project);
        return JSON.parse(readFileSync(join(project, file), 'utf8')).reports[0];
      };
      expect(() => report(['westeurope'])).toThrow(/ended with 2.*allowedRegions.*shop\/logs\/Resource/s);
      expect(report(['eastus']).violations).toEqual([]);
    });

    test('npx azimuth runs each program', () => {
      const bin = join(esm, 'node_modules', '.bin', 'azimuth');
      expect(existsSync(bin)).toBe(true);
      const usage = on([bin, '--help'], esm);
      const programs = [...usage.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
      expect(programs).toContain('operator');
      for (const program of programs) expect(on([bin, program, '--help'], esm)).toContain(`azimuth ${program}`);
    });

    test('a command gets the environment of the sandbox, and its exit code is that of azimuth', () => {
      const sandbox = (line: string) =>
        on(
          [join('node_modules', '.bin', 'azimuth'), 'sandbox', '--dir', `sandbox-${major}`, '--', 'sh', '-c', line],
          esm,
        );
      const names = ['AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_AUTHORITY_HOST', 'NODE_EXTRA_CA_CERTS'];
      const [arm, authority, ca = ''] = sandbox(names.map((name) => `echo $${name}`).join(';')).split('\n');
      expect([arm, authority]).toEqual(Array(2).fill(expect.stringMatching(/^https:\/\/localhost:\d+$/)));
      expect(readFileSync(ca, 'utf8')).toContain('BEGIN CERTIFICATE');
      expect(() => sandbox('exit 7')).toThrow('ended with 7');
    });
  });
}

test('a command that signs in says how to install @azure/identity where it is missing', () => {
  const bin = join('node_modules', '.bin', 'azimuth');
  const group = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop';
  const importing = () => run(process.execPath, [bin, 'import', group], commonjs);
  expect(importing).toThrow(/ended with 1:[\s\S]*AZ_CONFIG_INVALID: Expected the package @azure\/identity/);
  expect(importing).toThrow('run `npm install @azure/identity`, or choose --credential=azure-cli');
});

test('a program that the import of the package prints runs in the project', async () => {
  const azure = await startEmbeddedAzure();
  const portal = new TestClient(azure);
  try {
    const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop`;
    await portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
    writeFileSync(join(directory, 'ca.pem'), azure.caPem);
    const env = { ...process.env, ...azure.env(), NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') };
    const argv = [join('node_modules', '.bin', 'azimuth'), 'import', '--credential=environment', '-o', 'cdk8s', group];
    // The server runs in this process, so the program runs beside it.
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: esm, env });
    writeFileSync(join(esm, 'imported.mjs'), stdout);
    run(process.execPath, ['imported.mjs'], esm, { CDK8S_OUTDIR: 'imported' });
    expect(readFileSync(join(esm, 'imported', 'imported.k8s.yaml'), 'utf8')).toMatch(
      /kind: ResourceGroup\n.*name: shop/s,
    );
  } finally {
    await portal.close();
    await azure.close();
  }
});

test.each(globSync('examples/**/*.ts'))('%s compiles with the package, and writes its manifests', (program) => {
  compile(esm, program, repositoryCompiler, { module: 'nodenext', outDir: 'example' });
  run(process.execPath, ['example/shop.js'], esm, { CDK8S_OUTDIR: 'example-dist' });
  expect(readdirSync(join(esm, 'example-dist'))).toContain('0002-shop.k8s.yaml');
});

test('the demonstration runs from the package on the oldest Node, with @azure/identity of the project', () => {
  // Its packages are found from its real path.
  mkdirSync(join(esm, 'node_modules', '@azure'), { recursive: true });
  const identity = join('node_modules', '@azure', 'identity');
  symlinkSync(resolve(identity), join(esm, identity));
  const output = run(nodeOf(20) ?? process.execPath, [join('node_modules', '.bin', 'azimuth'), 'demo'], esm);
  expect(output).toMatch(/✓ Give the identity to a pod, .* thumbnails is signed in as /);
  expect(output).toMatch(/^Done in /m);
});
