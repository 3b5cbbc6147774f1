import * as pulumi from '@pulumi/pulumi';

/** A resource that a stack registered. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
  readonly inputs: any;
  /** URN and id of its provider; '' for that of the engine's choice. */
  readonly provider: string;
}

/** What one run of a stack made. */
export interface StackRun {
  /** The resources whose type contains a text. */
  of(type: string): Registered[];
  readonly outputs: Record<string, unknown>;
}

let runs = 0;

/**
 * Runs a stack of `stacks/` in this process, without an engine: resources get ids such as `/made/<name>`.
 *
 * @param config values by their names, without the project; those of another package with its name
 * @param stacks outputs of other stacks by the stack's name
 */
export async function runStack(
  directory: 'cluster' | 'identity' | 'platform' | 'vault',
  config: Readonly<Record<string, string>>,
  stacks: Readonly<Record<string, object>> = {},
): Promise<StackRun> {
  const project = directory === 'platform' ? 'azimuth' : `azimuth-${directory}`;
  const registered: Registered[] = [];
  // A module runs once, so each run imports another one.
  runs += 1;
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id, provider = '' }) => {
        if (type === 'pulumi:pulumi:StackReference') return { id: name, state: { outputs: stacks[inputs.name] ?? {} } };
        registered.push({ type, name, inputs, provider });
        const outputs = {
          clientId: `client of ${name}`,
          principalId: `principal of ${name}`,
          properties: inputs.properties ?? {},
        };
        return { id: id || `/subscriptions/sub/made/${name}`, state: { ...outputs, ...inputs } };
      },
      call: ({ token, inputs }) =>
        token.includes('listManagedCluster') ? { kubeconfigs: [{ value: 'a3ViZQ==' }] } : inputs,
    },
    project,
    'dev',
  );
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      Object.entries(config).map(([name, value]) => [name.includes(':') ? name : `${project}:${name}`, value]),
    ),
  );
  const module = (await import(`../../stacks/${directory}/index.ts?run=${runs}`)) as Record<
    string,
    pulumi.Input<unknown>
  >;
  const outputs = await new Promise<Record<string, unknown>>((resolve) => {
    pulumi.output({ ...module }).apply((plain) => resolve(plain as Record<string, unknown>));
  });
  await pulumi.runtime.disconnect();
  return {
    of: (type) => registered.filter((resource) => resource.type.toLowerCase().includes(type.toLowerCase())),
    outputs,
  };
}
