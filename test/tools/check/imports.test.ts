import { expect, test } from '@jest/globals';
import { importProblems } from '../../../tools/check/imports.ts';

const problems = (file: string, text: string) => importProblems([file], () => text);

test('a program may not import another program', () => {
  expect(problems('runtime/operator/a.ts', "import { x } from '../nmi/b.ts';")).toEqual([
    'runtime/operator/a.ts:1: runtime/operator may not import runtime/nmi/b.ts',
  ]);
});

test('a program may import kube, azure, engine, api and base', () => {
  for (const layer of ['kube', 'azure', 'engine', 'api', 'base']) {
    expect(problems('runtime/operator/a.ts', `import { x } from '../${layer}/b.ts';`)).toEqual([]);
  }
});

test('only cli may import the sandbox', () => {
  expect(problems('runtime/cli/a.ts', "import { x } from '../../sandbox/b.ts';")).toEqual([]);
  expect(problems('runtime/kube/a.ts', "const x = await import('../../sandbox/b.ts');")).toHaveLength(1);
});

test('an example imports the package, and nothing by a path', () => {
  expect(problems('examples/web-app/main.ts', "import { Vault } from 'azimuth';")).toEqual([]);
  expect(problems('examples/web-app/main.ts', "import { Vault } from '../../constructs/index.ts';")).toHaveLength(1);
});

test('cdk8s stays in constructs, and Pulumi packages are imported by module', () => {
  expect(problems('runtime/api/a.ts', "import { App } from 'cdk8s';")).toHaveLength(1);
  expect(problems('stacks/a.ts', "import * as azure from '@pulumi/azure-native';")).toHaveLength(1);
  expect(problems('stacks/a.ts', "import * as m from '@pulumi/azure-native/managedidentity/index.js';")).toEqual([]);
});
