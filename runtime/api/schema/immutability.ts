import type { CelRule } from './structural-schema.ts';

/**
 * A rule that holds from the moment Azure has the resource, that is, from when its id is in the status. `condition`
 * compares paths of `self` and `oldSelf` directly: the API server cannot bound the cost of comparing computed values.
 */
export function staysInAzure(member: string, condition: string): CelRule {
  return {
    rule: `!has(oldSelf.status) || !has(oldSelf.status.id) || (${condition})`,
    message: `spec.${member} cannot change once the resource exists in Azure`,
  };
}

/** An optional member keeps its value, or its absence. */
export function staysOptional(member: string): CelRule {
  const [now, before] = [`self.spec.${member}`, `oldSelf.spec.${member}`];
  return staysInAzure(member, `has(${now}) ? has(${before}) && ${now} == ${before} : !has(${before})`);
}

/** azureName stays, where an absent one counts as metadata.name. */
export const azureNameStays: CelRule = staysInAzure(
  'azureName',
  'has(self.spec.azureName)' +
    ' ? (has(oldSelf.spec.azureName) ? self.spec.azureName == oldSelf.spec.azureName' +
    ' : self.spec.azureName == self.metadata.name)' +
    ' : (!has(oldSelf.spec.azureName) || oldSelf.spec.azureName == self.metadata.name)',
);
