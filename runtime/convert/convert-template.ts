import type { JsonObject } from '../base/json.ts';
import { undecidedText } from '../compute/deployments/arm-goal.ts';
import { type ArmObjects, armObjects } from '../compute/deployments/arm-objects.ts';
import type { LinkedTemplates } from '../compute/deployments/linked-templates.ts';
import type { DeploymentProblem } from '../compute/deployments/substitute.ts';
import type { Position } from '../compute/templates/problems.ts';
import { completeManifests } from './complete-manifests.ts';
import type { ConvertedTemplate } from './converted-template.ts';
import { type ConversionTarget, checkTarget, firstDifference, type Target, targetOf } from './target.ts';

/** An ARM template to convert. */
export interface Conversion extends ConversionTarget {
  readonly json: string;
  /** Name of the file, for messages. */
  readonly file: string;
  /** As a parameters file has them. */
  readonly parameters: Readonly<JsonObject>;
  readonly managementGroup?: string | undefined;
  readonly linkedTemplates?: LinkedTemplates | undefined;
  readonly namespace: string;
  /** Milliseconds since the epoch, for `utcNow()`. */
  readonly now: number;
}

/**
 * The objects of an ARM template, as the import writes those of Azure: references to resources of the template that come
 * before go by name, others by ARM id. Pure. Throws AZ_CONFIG_INVALID with the flag of a region, resource group, tenant
 * or identity on which the objects depend.
 */
export function convertTemplate(conversion: Conversion): ConvertedTemplate {
  const general: DeploymentProblem[] = [];
  const target = targetOf(conversion);
  const objects = objectsAt(target, conversion, general);
  const placeOf = ({ path, line, column }: Position) =>
    (line === 0 ? `${conversion.file} ${path}` : `${conversion.file}:${line}:${column} ${path}`).trimEnd();
  const problems = [
    ...general.map(({ path, message }) => ({ place: `${conversion.file} ${path}`, message })),
    ...objects.problems.map((problem) => ({ place: placeOf(problem), message: problem.message })),
    ...objects.undecided.map((part) => ({ place: placeOf(part), message: `not converted: ${undecidedText(part)}` })),
  ];
  checkTarget(conversion, objects, (other) => objectsAt(other, conversion, []));
  const { manifests, notes, problems: more } = completeManifests(objects, placeOf);
  const random = firstDifference(objects, objectsAt(target, { ...conversion, now: conversion.now + laterMs }, []));
  const owner = `the ResourceGroup ${target.groupName} of the namespace has to exist: --resource-group names another one`;
  const isAssumed = conversion.resourceGroup === undefined && manifests.length > 0;
  return {
    manifests,
    problems: [...problems, ...more],
    notes: [...(isAssumed ? [owner] : []), ...(random === undefined ? [] : [randomNote(random)]), ...notes],
  };
}

/** More than a day, so that dates differ too. */
const laterMs = 90_061_001;

const randomNote = (key: string) =>
  `${key} has a value of newGuid() or utcNow(), which each run makes anew: give the parameter a value by --parameters`;

function objectsAt(
  { location, deployerId, ...target }: Target,
  conversion: Conversion,
  problems: DeploymentProblem[],
): ArmObjects {
  const { json, deployment, parameters, managementGroup, linkedTemplates, namespace, now } = conversion;
  const at = new Date(now).toISOString();
  const deployer = { objectId: deployerId, tenantId: target.tenantId };
  const goal = { json, location, namespace, deployment, parameters, at, deployer, target, prefix: '', seed: at };
  return armObjects({ ...goal, managementGroup, linkedTemplates }, problems);
}
