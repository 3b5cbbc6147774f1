import { describe, expect, test } from '@jest/globals';
import { deployment, edges, inner, resource } from './nested-templates.ts';
import { expand, groupId, subscriptionId } from './support.ts';

describe('expressions of a deployment inside of a template', () => {
  const parts = {
    parameters: { p: { type: 'string', defaultValue: 'inner' } },
    variables: { v: "[concat(parameters('p'), '-', deployment().name)]" },
    resources: [resource("[concat(parameters('p'), variables('v'))]")],
  };
  const outer = { parameters: { p: { type: 'string', defaultValue: 'outer' } }, variables: { v: 'V' } };
  const nameOf = (properties: object) => {
    const expanded = expand({ ...outer, resources: [deployment('n', parts, { properties })] });
    return expanded.problems.length > 0 ? expanded.problems.map(({ message }) => message) : expanded.resources[0]?.name;
  };

  test('see the parameters and variables of the template around it, unless the scope is inner', () => {
    expect(nameOf({})).toBe('outerV');
    expect(nameOf({ expressionEvaluationOptions: { scope: 'Outer' } })).toBe('outerV');
    expect(nameOf(inner())).toBe('innerinner-n');
    expect(nameOf(inner({ p: { value: "[toUpper(parameters('p'))]" } }))).toBe('OUTEROUTER-n');
  });

  test('get parameters in the inner scope alone, and those that the template has', () => {
    expect(nameOf({ parameters: { p: { value: "[parameters('p')]" } } })).toBe('outerV');
    expect(nameOf({ parameters: { q: { value: 'x' } } })).toEqual([expect.stringContaining("no parameter 'q'")]);
    expect(nameOf({ parameters: { p: { value: "[parameters('q')]" } } })).toEqual([expect.stringContaining("'q'")]);
    expect(nameOf(inner({ q: { value: 'x' } }))).toEqual([expect.stringContaining("no parameter 'q'")]);
  });

  test('get all parameters by one expression too', () => {
    const all = (value: string) => nameOf({ ...inner(), parameters: value });
    expect(all("[createObject('p', createObject('value', variables('v')))]")).toBe('VV-n');
    expect(all("[createObject('p', variables('v'))]")).toEqual([expect.stringContaining("'p' of a deployment needs")]);
    expect(all("[variables('v')]")).toEqual([expect.stringContaining('must be an object')]);
  });

  test('see what is escaped for the template around it, once for each evaluation', () => {
    const own = { p: { type: 'string' } };
    const named = (name: string, properties: object) =>
      deployment('d', { parameters: own, resources: [resource(name)] }, { properties });
    const inOuter = (name: string, properties: object) => deployment('o', { resources: [named(name, properties)] });
    const outerParameters = { parameters: { p: { type: 'string', defaultValue: 'outer' } } };
    const name = (text: string, properties: object, around: typeof named) => {
      const { resources, problems } = expand({ ...outerParameters, resources: [around(text, properties)] });
      return problems[0]?.message ?? resources[0]?.name;
    };
    const given = inner({ p: { value: "[concat(parameters('p'), '-given')]" } });
    expect(name("[[concat(parameters('p'), '!')]", given, inOuter)).toBe('outer-given!');
    expect(name("[concat(parameters('p'), '!')]", given, inOuter)).toBe('outer-given!');
    expect(name('[[[p]', given, inOuter)).toBe('[p]');
    expect(name('[[p]', given, named)).toBe('[p]');
    const passed = { parameters: { p: { value: 'passed' } } };
    expect(name("[[parameters('p')]", passed, named)).toBe('passed');
    expect(name("[parameters('p')]", passed, named)).toBe('outer');
    expect(name("[[parameters('q')]", passed, named)).toContain("'q' is not found");
  });

  test('see the variables of their own template in the outer scope, where the text is escaped', () => {
    const variables = { first: "[variables('around')]", second: "[[concat(variables('first'), '-2')]" };
    const nested = deployment('o', { variables, resources: [resource("[[variables('second')]")] });
    const { resources, problems } = expand({ variables: { around: 'hello' }, resources: [nested] });
    expect([problems, resources[0]?.name]).toEqual([[], 'hello-2']);
  });

  test('see the copy loop of the deployment in the outer scope', () => {
    const copy = { name: 'l', count: 2 };
    const numbered = { resources: [resource("[concat('r', copyIndex('l'))]")] };
    const name = "[concat('n', copyIndex())]";
    expect(edges(expand({ resources: [deployment(name, numbered, { copy })] }))).toEqual({ r0: [], r1: [] });
    const own = deployment(name, numbered, { copy, properties: inner() });
    expect(expand({ resources: [own] }).problems[0]?.path).toBe('resources[0].properties.template.resources[0].name');
  });

  test('pass references to secrets and secure values on', () => {
    const secure = {
      parameters: { s: { type: 'securestring' }, k: { type: 'securestring' }, m: { type: 'securestring' } },
      resources: [
        resource('r', { properties: { s: "[parameters('s')]", k: "[parameters('k')]", m: "[parameters('m')]" } }),
      ],
    };
    const keyVault = { id: "[resourceId('Microsoft.KeyVault/vaults', 'v')]" };
    const given = inner({
      s: { value: "[parameters('password')]" },
      k: { reference: { keyVault, secretName: "[concat('a', 'b')]" } },
      m: { managedSecret: 'tls' },
    });
    const { resources, problems } = expand(
      {
        parameters: { password: { type: 'securestring' } },
        resources: [deployment('n', secure, { properties: given })],
      },
      { password: { value: 'hunter2' } },
    );
    expect(problems).toEqual([]);
    expect(JSON.parse(JSON.stringify(resources[0]?.body['properties']))).toEqual({
      s: '(secret)',
      k: { vaultId: `${groupId}/providers/Microsoft.KeyVault/vaults/v`, secretName: 'ab' },
      m: { managedSecret: 'tls' },
    });
  });
});

describe('dependencies', () => {
  const two = { resources: [resource('a'), resource('b', { dependsOn: ['a'] })] };

  test('on a deployment mean all of its resources, those of a deployment all of its resources', () => {
    const expanded = expand({
      resources: [
        resource('first'),
        deployment('n', two, { dependsOn: ['first'] }),
        resource('last', { dependsOn: ['n'] }),
      ],
    });
    expect(expanded.problems).toEqual([]);
    expect(edges(expanded)).toEqual({ first: [], a: ['first'], b: ['a', 'first'], last: ['a', 'b'] });
  });

  test('go through deployments without resources, and are dropped for skipped ones', () => {
    const expanded = expand({
      resources: [
        resource('first'),
        deployment('empty', {}, { dependsOn: ['first'] }),
        deployment('skipped', two, { condition: false, dependsOn: ['gone'] }),
        resource('last', { dependsOn: ['empty', 'skipped'] }),
      ],
    });
    expect([expanded.problems, edges(expanded)]).toEqual([[], { first: [], last: ['first'] }]);
  });

  test('of a serial loop of deployments are on the resources of the batch before', () => {
    const copy = { name: 'l', count: 3, mode: 'serial' };
    const one = { resources: [resource("[concat('r', copyIndex())]")] };
    const expanded = expand({
      resources: [deployment("[concat('n', copyIndex())]", one, { copy }), resource('last', { dependsOn: ['l'] })],
    });
    expect(edges(expanded)).toEqual({ r0: [], r1: ['r0'], r2: ['r1'], last: ['r0', 'r1', 'r2'] });
  });

  test('names mean resources of the same template; an id with a version means one of any', () => {
    const id = "[reference(resourceId('X/r', 'outside'), '2024-01-01').p]";
    const parts = { resources: [resource('a', { properties: { p: id } })] };
    const expanded = expand({ resources: [deployment('n', parts, { properties: inner() }), resource('outside')] });
    expect([expanded.problems, edges(expanded)]).toEqual([[], { a: ['outside'], outside: [] }]);
    const named = { resources: [resource('a', { dependsOn: ['outside'] })] };
    expect(
      expand({ resources: [deployment('n', named), resource('outside')] }).problems.map(({ name }) => name),
    ).toEqual(['Dependency']);
  });

  test.each<[string, object[]]>([
    [
      'of deployments',
      [
        deployment('a', two, { dependsOn: ['b'] }),
        deployment('b', { resources: [resource('c')] }, { dependsOn: ['a'] }),
      ],
    ],
    ['of empty deployments', [deployment('a', {}, { dependsOn: ['b'] }), deployment('b', {}, { dependsOn: ['a'] })]],
    [
      'of outputs',
      ['a', 'b'].map((name) => {
        const value = `[reference('${name === 'a' ? 'b' : 'a'}').outputs.o.value]`;
        return deployment(name, { outputs: { o: { type: 'string', value } } });
      }),
    ],
    [
      'of parameters and outputs',
      [
        deployment(
          'a',
          { parameters: { p: { type: 'string' } }, outputs: { o: { type: 'string', value: "[parameters('p')]" } } },
          { properties: inner({ p: { value: "[reference('a').outputs.o.value]" } }) },
        ),
      ],
    ],
  ])('in a circle %s are reported', (_, resources) => {
    expect([...new Set(expand({ resources }).problems.map(({ name }) => name))]).toContain('Cycle');
  });
});

describe('refused', () => {
  const none = { resources: [] };
  const nest = (depth: number): object =>
    depth === 0 ? resource('r') : deployment(`d${depth}`, { resources: [nest(depth - 1)] });

  test.each<[string, object, string, string]>([
    [
      'two templates',
      deployment('n', none, { properties: { templateLink: { uri: 'https://x' } } }),
      'Structure',
      'not both',
    ],
    [
      'a linked template that is not there',
      deployment('n', none, { properties: { template: undefined, templateLink: { uri: 'https://x' } } }),
      'Unsupported',
      "The linked template 'https://x' is not there",
    ],
    [
      'a parameters file elsewhere that is not there',
      deployment('n', none, { properties: { parametersLink: { uri: 'https://a.example/p.json' } } }),
      'Unsupported',
      'linked parameters file',
    ],
    [
      'an earlier deployment in its place',
      deployment('n', none, { properties: { onErrorDeployment: {} } }),
      'Unsupported',
      'onErrorDeployment',
    ],
    ['mode Complete', deployment('n', none, { properties: { mode: 'Complete' } }), 'Unsupported', 'Incremental'],
    [
      'a template that is an expression',
      deployment('n', none, { properties: { template: "[variables('t')]" } }),
      'Structure',
      'properties.template',
    ],
    ['a name that Azure does not take', deployment('n/m', none), 'Evaluation', 'do not fit'],
    ['eleven levels', nest(11), 'Limit', 'more than 10 levels'],
  ])('%s, by name', (_, nested, name, message) => {
    const { problems } = expand({ resources: [resource('twin'), nested] });
    expect(problems).toEqual([expect.objectContaining({ name, message: expect.stringContaining(message) })]);
    expect(problems[0]?.path).toMatch(/^resources\[1\]/);
  });

  test('a resource of two deployments counts once, with its last declaration and all that both wait for', () => {
    const first = resource('twin', { dependsOn: ['a'], tags: { of: 'first' } });
    const last = deployment('n', { resources: [resource('twin', { tags: { of: 'last' } })] }, { dependsOn: ['b'] });
    const { problems, resources } = expand({ resources: [resource('a'), resource('b'), first, last] });
    const twins = resources.filter(({ name }) => name === 'twin');
    expect(problems).toEqual([]);
    expect(twins).toMatchObject([{ body: { tags: { of: 'last' } } }]);
    expect(twins[0]?.dependsOn.map((id) => id.at(-1))).toEqual(['a', 'b']);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['to a group with a location', { location: 'westeurope' }, 'is not allowed'],
    ['to a subscription without one', { subscriptionId: 's2' }, 'it goes into a subscription'],
  ])('a deployment %s', (_, members, message) => {
    const { problems } = expand({ resources: [deployment('n', {}, members)] });
    expect(problems).toMatchObject([{ name: 'Structure', message: expect.stringContaining(message) }]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['another group', { resourceGroup: 'other' }, '/subscriptions/S/resourceGroups/other/providers/'],
    [
      'another subscription',
      { resourceGroup: 'g', subscriptionId: 's2' },
      '/subscriptions/s2/resourceGroups/g/providers/',
    ],
    ['a subscription', { subscriptionId: 's2', location: 'westeurope' }, '/subscriptions/s2/providers/'],
    [
      'a management group',
      { scope: 'Microsoft.Management/managementGroups/m', location: 'westeurope' },
      '/providers/Microsoft.Management/managementGroups/m/providers/',
    ],
    ['the tenant', { scope: '/', location: 'westeurope' }, '/providers/'],
  ])('a deployment into %s places its resources there', (_, members, start) => {
    const { problems, resources } = expand({ resources: [deployment('n', { resources: [resource('r')] }, members)] });
    expect(problems).toEqual([]);
    expect(resources[0]?.id.replace(subscriptionId, 'S')).toMatch(new RegExp(`^${start}[^/]+/[^/]+/r$`));
  });

  test('a deployment lists its outputs as secrets, and a type with a name is a resource of the scope', () => {
    const outputs = { key: { type: 'string', value: 'k' } };
    const uses = resource('u', {
      properties: {
        key: "[listOutputsWithSecureValues('n', '2025-04-01').key]",
        blob: "[reference('Microsoft.Storage/storageAccounts/old', '2023-01-01').primaryEndpoints.blob]",
      },
    });
    const { problems, resources } = expand({
      resources: [deployment('n', { outputs, resources: [] }), uses],
    });
    expect(problems).toEqual([]);
    expect(JSON.stringify(resources[0]?.body)).not.toContain('"k"');
    expect(resources[0]?.waitsFor).toEqual([`${groupId}/providers/Microsoft.Storage/storageAccounts/old`]);
  });

  test('the own group and subscription are no other ones, and five levels are allowed', () => {
    const own = deployment('n', none, {
      resourceGroup: '[resourceGroup().name]',
      subscriptionId: '[subscription().subscriptionId]',
    });
    expect(expand({ resources: [own, nest(5)] })).toMatchObject({ problems: [], resources: [{ name: 'r' }] });
  });

  test('more than 800 resources over all levels, deployments included', () => {
    const copy = { name: 'l', count: 401 };
    const parts = { resources: [resource("[concat('r', copyIndex())]")] };
    const { problems } = expand({ resources: [deployment("[concat('n', copyIndex())]", parts, { copy })] });
    expect(problems).toEqual([expect.objectContaining({ name: 'Limit', message: expect.stringContaining('800') })]);
  });
});
