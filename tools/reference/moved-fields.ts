/** The page docs/reference/moved-fields.md, made from the tables of members that Azure moves and that others write. */
import { type CarriedField, carriedFields } from '../../runtime/arm-kinds/carried/carried-fields.ts';
import { type MovedField, movedFields } from '../../runtime/arm-kinds/moved/moved-fields.ts';
import type { Movement } from '../../runtime/arm-kinds/moved/movements.ts';

const code = (text: string) => `\`${text}\``;

function limits(moves: Movement): string {
  switch (moves.by) {
    case 'range':
      return `${moves.least === undefined ? 'the declared value' : code(moves.least)} to ${code(moves.most)}`;
    case 'growth':
      return 'a larger value';
    case 'patch':
      return 'a later version, same major and minor';
    case 'minor':
      return 'a later version, same major';
    case 'exchange':
      return `one of ${moves.among.map(code).join(' and ')}, or any while one is not declared`;
    case 'any':
      return 'any';
  }
}

const shortKinds = (kinds: readonly string[]) => kinds.map((kind) => kind.replace('.azure.com', '')).join(', ');

function carriedRow({ kinds, path, entries, why }: CarriedField): string {
  const one = entries === 'keys' ? 'each key' : `each item, by \`${entries?.by}\``;
  return `| ${kinds === 'all' ? 'all' : shortKinds(kinds)} | ${code(path)} | ${entries ? one : 'the value'} | ${why} |`;
}

function row({ kinds, path, while: condition, moves, why }: MovedField): string {
  const when = condition
    ? `${code(condition.path)} is ${condition.is.map((each) => code(String(each))).join(' or ')}`
    : '';
  return `| ${shortKinds(kinds)} | ${code(path)} | ${when} | ${limits(moves)} | ${why} |`;
}

/** The text of docs/reference/moved-fields.md. */
export function movedFieldReference(): string {
  return `# Fields that Azure moves

Some specs let Azure change a declared value by itself. While the spec has the value of the third column, a value in
Azure within the limits is no drift, and a PUT with another reason repeats it. Every other value in Azure is drift. A
declared value beyond the one in Azure, such as a later version, is sent. Paths are those of the body in Azure; most
kinds have \`properties\` in the spec itself.

| kind | member | while | value in Azure | reason |
|---|---|---|---|---|
${movedFields.map(row).join('\n')}

No entry:

- The capacity of a scale set, plan or namespace with an autoscale setting: another resource decides, which the spec
  does not show. Use \`azimuth.dev/ignore-fields: sku.capacity\`.
- Image version \`latest\`: Azure shows the word, and the real version at another member.
- Serverless SQL databases: \`sku.capacity\` is the maximum, and does not move.
- Application gateways and node pools of OpenShift: a spec has either a capacity or autoscale.
- Values that the spec does not declare, such as the default rules of a security group: these are never compared.

## Fields that others write

A PUT replaces a resource. At these places it repeats what other clients and other objects made in Azure, where the
spec does not declare it. A declared value wins, null or an empty value in the spec removes what is there, and what the
spec declared at the last PUT and no longer has is removed. Entries of others are no drift. The PUT has the ETag of the
answer on which it is based, where Azure has one.

| kind | member | carried | reason |
|---|---|---|---|
${carriedFields.map(carriedRow).join('\n')}

Lists of children, such as the subnets of a network, are carried as
[operator.md](operator.md#children-that-others-manage) says. An \`ArmResource\` is sent as it is. Lists that decide who
gets in, such as IP rules and declared access policies, are complete: an entry of somebody else is drift.
`;
}
