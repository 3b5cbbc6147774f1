#!/usr/bin/env node
import { keepPausesShort } from '../base/process/heap.ts';
import { nearest } from '../base/text/edit-distance.ts';
import { version } from '../base/version.ts';
import { exitCodes, failureLine } from './exit/failure.ts';
import type { Program } from './program.ts';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Program>;
}

/** Loaded on demand, so that a short-lived subcommand does not load the others. */
const programs: Readonly<Record<string, Entry>> = {
  operator: {
    summary: 'Azure resources as custom resources',
    load: async () => (await import('./operator.ts')).operator,
  },
  identity: {
    summary: 'the controller that gives pods the identities of their bindings',
    load: async () => (await import('./identity.ts')).identity,
  },
  nmi: {
    summary: "the node daemon: the metadata endpoint of its node's pods",
    load: async () => (await import('./nmi.ts')).nmi,
  },
  volumes: {
    summary: 'the node agent of Key Vault volumes: installs the driver, authenticates pods, reads, refreshes',
    load: async () => (await import('./volumes.ts')).volumes,
  },
  secrets: {
    summary: 'the endpoint from which machines get the values of ManagedSecrets',
    load: async () => (await import('./secrets.ts')).secrets,
  },
  flexvolume: {
    summary: 'installs the driver of Key Vault volumes on its node, or removes it',
    load: async () => (await import('./flexvolume.ts')).flexvolume,
  },
  import: {
    summary: 'manifests for what exists in Azure',
    load: async () => (await import('./commands/import.ts')).importer,
  },
  convert: {
    summary: 'manifests for the resources of an ARM template',
    load: async () => (await import('./commands/convert.ts')).convert,
  },
  tree: {
    summary: 'the Azure resources, identities and volumes of the cluster below their owners',
    load: async () => (await import('./commands/tree.ts')).tree,
  },
  plan: {
    summary: 'what applying manifests would do, and whether they are right',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  apply: {
    summary: 'applies a plan of azimuth plan --out, unless the cluster or Azure changed since',
    load: async () => (await import('./commands/apply.ts')).apply,
  },
  kinds: {
    summary: 'the kinds of Azure resources that a cluster or manifests need',
    load: async () => (await import('./commands/kinds.ts')).kinds,
  },
  watch: {
    summary: 'the present run of a ComputeDeployment, until it ends',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  ui: {
    summary: 'a live page of the resources, identities and volumes of the cluster, read-only',
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  uninstall: {
    summary: 'removes objects, programs and definitions, and keeps or deletes the resources in Azure',
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  completion: {
    summary: 'the script that completes the commands in bash, zsh, fish and PowerShell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  sandbox: {
    summary: 'an embedded Kubernetes API and an embedded Azure',
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
  demo: {
    summary: 'the whole loop on the sandbox, from manifests to a running application',
    load: async () => (await import('./demo.ts')).demo,
  },
};

const usage = [
  'Usage: azimuth <program> [flags]',
  '',
  ...Object.entries(programs).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`),
  '',
  'azimuth <program> --help lists the flags of a program; azimuth --version prints the version.',
].join('\n');

async function main([name, ...argv]: readonly string[]): Promise<number> {
  if (name === '__complete') {
    const { completeFor } = await import('./commands/complete.ts');
    return completeFor(Object.keys(programs))(argv);
  }
  const entry = name === undefined ? undefined : programs[name];
  if ((entry ? argv : [name ?? '']).some((arg) => /^--?version(=true)?$/.test(arg))) {
    console.log(`azimuth ${version}`);
    return 0;
  }
  if (entry) return (await entry.load())(argv);
  const asked = name === '--help' || name === '-h' || name === 'help';
  if (asked) console.log(usage);
  else console.error(name === undefined ? usage : unknownProgram(name));
  return asked ? exitCodes.done : exitCodes.failed;
}

function unknownProgram(name: string): string {
  const meant = nearest(name, Object.keys(programs), (each) => each);
  return `azimuth: there is no program \`${name}\`${meant === undefined ? '' : `; did you mean ${meant}?`}\n\n${usage}`;
}

keepPausesShort();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(failureLine(error));
  process.exitCode = exitCodes.failed;
}
