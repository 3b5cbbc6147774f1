import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const guide = readFileSync('docs/guides/uninstalling.md', 'utf8');
const section = (title: string) => new RegExp(`^### ${title}\\n(.*?)^##`, 'ms').exec(guide)?.[1] ?? '';
const commandsOf = (text: string) => [...text.matchAll(/```\n(.*?)```/gs)].map(([, block = '']) => block).join('\n');

test('by hand, deployments are suspended before the annotation and deleted before the objects that they make', () => {
  const commands = commandsOf(section('Keep everything in Azure'));
  const steps = [
    /"suspend":true/,
    /SEEN:\S*observedGeneration/,
    /kubectl annotate/,
    /delete computedeployments/,
    /do kubectl delete/,
  ];
  const places = steps.map((step) => commands.search(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('what it says to do with GitOps before the command deletes nothing', () => {
  const tools = /^\| tool \| command \|\n(.*?)\n\n/ms.exec(guide)?.[1] ?? '';
  expect(tools).toMatch(/flux suspend kustomization.*argocd app set.*--sync-policy none.*helm upgrade/s);
  expect(tools).not.toMatch(/delete|uninstall/);
});
