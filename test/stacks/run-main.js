/** Runs `main.js` of a stack, named by the first argument, without an engine, and writes the names of its outputs. */
import pulumi from '@pulumi/pulumi';

const [stack, project, config] = process.argv.slice(2);
await pulumi.runtime.setMocks(
  {
    newResource: ({ name, inputs }) => ({
      id: `/subscriptions/sub/made/${name}`,
      state: { ...inputs, properties: {} },
    }),
    call: () => ({ kubeconfigs: [{ value: 'a3ViZQ==' }] }),
  },
  project,
  'dev',
);
const values = Object.entries(JSON.parse(config)).map(([name, value]) => [`${project}:${name}`, value]);
pulumi.runtime.setAllConfig(Object.fromEntries(values));
const { default: run } = await import(`../../stacks/${stack}/main.js`);
const outputs = await run();
await pulumi.runtime.disconnect();
process.stdout.write(JSON.stringify(Object.keys(outputs).sort()));
