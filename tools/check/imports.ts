/**
 * The import rule of the tree: main.ts, stacks -> constructs -> runtime/api; programs -> engine, kube, azure -> api;
 * everything may use runtime/base. The sandbox is for cli, tests and tools only; programs never import each other.
 * Examples import the package, as its users do, and nothing by a path.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const programs = ['operator', 'import', 'identity', 'nmi', 'volumes', 'secrets'];
const layers: Record<string, readonly string[]> = {
  'runtime/base': [],
  'runtime/api': ['runtime/base'],
  'runtime/kube': ['runtime/base', 'runtime/api'],
  'runtime/azure': ['runtime/base', 'runtime/api'],
  'runtime/engine': ['runtime/base', 'runtime/api'],
  'runtime/databases': ['runtime/base', 'runtime/azure'],
  'runtime/compute': [
    'runtime/base',
    'runtime/api',
    'runtime/azure',
    'runtime/engine',
    'runtime/arm-kinds',
    'runtime/kube/client',
  ],
  'runtime/arm-kinds': ['runtime/base', 'runtime/api', 'runtime/azure', 'runtime/kube/client'],
  'runtime/view': ['runtime/base', 'runtime/api', 'runtime/arm-kinds', 'runtime/kube'],
  'runtime/plan': [
    'runtime/base',
    'runtime/api',
    'runtime/azure',
    'runtime/arm-kinds',
    'runtime/compute',
    'runtime/kube/client',
    'runtime/view',
  ],
  'runtime/convert': [
    ...['runtime/base', 'runtime/api', 'runtime/azure', 'runtime/compute', 'runtime/kube/client'],
    ...['runtime/import', 'runtime/plan'],
  ],
  'runtime/uninstall': ['runtime/base', 'runtime/api', 'runtime/kube', 'runtime/arm-kinds', 'runtime/view'],
  'runtime/ui': ['runtime/base', 'runtime/api', 'runtime/kube', 'runtime/view', 'runtime/azure/clouds.ts'],
  sandbox: ['runtime/base', 'runtime/api', 'runtime/compute/templates', 'runtime/compute/what-if'],
  ...Object.fromEntries(
    programs.map((program) => [
      `runtime/${program}`,
      [
        ...['runtime/base', 'runtime/api', 'runtime/kube', 'runtime/azure', 'runtime/engine', 'runtime/arm-kinds'],
        'runtime/compute',
      ],
    ]),
  ),
  'runtime/operator': [
    ...['runtime/base', 'runtime/api', 'runtime/kube', 'runtime/azure', 'runtime/engine', 'runtime/arm-kinds'],
    ...['runtime/compute', 'runtime/databases'],
  ],
  'runtime/cli': ['runtime', 'sandbox'],
  constructs: ['runtime/api'],
  stacks: ['constructs', 'runtime/api'],
  examples: [],
  'main.ts': ['constructs', 'runtime/api', 'runtime/base'],
};
const limitedPackages: Record<string, readonly string[]> = {
  cdk8s: ['constructs', 'stacks', 'examples', 'main.ts'],
  'cdk8s-plus-27': ['constructs', 'stacks', 'examples', 'main.ts'],
  constructs: ['constructs', 'stacks', 'examples', 'main.ts'],
  '@azure/identity': ['runtime/azure'],
  '@pulumi': ['stacks'],
};

const layerOf = (file: string) =>
  Object.keys(layers)
    .filter((layer) => file === layer || file.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0];

/** Every import that breaks the rule, as `file:line: reason`. `read` gives a file's text. */
export function importProblems(files: readonly string[], read: (file: string) => string): string[] {
  const problems: string[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    if (!layer) continue;
    const allowed = layers[layer] ?? [];
    for (const [index, line] of read(file).split('\n').entries()) {
      const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/.exec(line)?.[1];
      if (!specifier) continue;
      const at = `${file}:${index + 1}`;
      if (specifier.startsWith('.')) {
        const target = relative('.', join(dirname(file), specifier));
        const inside = (folder: string) => target === folder || target.startsWith(`${folder}/`);
        if (!inside(layer) && !allowed.some(inside)) problems.push(`${at}: ${layer} may not import ${target}`);
      } else {
        const name = specifier.startsWith('@pulumi/') ? '@pulumi' : specifier;
        const homes = Object.entries(limitedPackages).find(
          ([prefix]) => name === prefix || name.startsWith(`${prefix}/`),
        );
        if (homes && !homes[1].includes(layer))
          problems.push(`${at}: ${layer} may not import the package ${specifier}`);
        if (/^@pulumi\/(azure-native|kubernetes)$/.test(specifier)) {
          problems.push(`${at}: import a module of ${specifier}, not its root (type-check and start are 4x faster)`);
        }
      }
    }
  }
  return problems;
}

/** Every source file of the product, sorted, relative to the repository. */
export function sourceFiles(): string[] {
  return globSync([
    'main.ts',
    'constructs/**/*.ts',
    'runtime/**/*.ts',
    'sandbox/**/*.ts',
    'stacks/**/*.ts',
    'examples/**/*.ts',
  ]).sort();
}

if (import.meta.main) {
  const problems = importProblems(sourceFiles(), (file) => readFileSync(file, 'utf8'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
