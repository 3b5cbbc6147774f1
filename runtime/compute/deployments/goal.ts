import { createHash } from 'node:crypto';
import type { ComputeDeploymentSpec } from '../../api/deployments/compute-deployment.ts';
import { canonicalJson, isObject, type JsonObject, jsonHash } from '../../base/json.ts';
import type { Deployer } from '../templates/document/context.ts';

/** The desired state of a run: the template and its parameters as they were when the run was made. */
export interface Goal {
  readonly template: ComputeDeploymentSpec['template'];
  readonly parameters: JsonObject;
  readonly locations: readonly { readonly name: string; readonly parameters: JsonObject }[];
  /** ISO 8601: the present time for the functions of an ARM template, so that each expansion gives the same. */
  readonly at: string;
  /** The value of `deployer()`, for a template that calls it. @default not known */
  readonly deployer?: Deployer;
}

/** The goal of a deployment, made at this time (milliseconds since the epoch). */
export function goalOf(spec: ComputeDeploymentSpec, now: number): Goal {
  return {
    template: spec.template,
    parameters: (spec.parameters ?? {}) as JsonObject,
    locations: spec.locations.map(({ name, parameters = {} }) => ({ name, parameters: parameters as JsonObject })),
    at: new Date(now).toISOString(),
  };
}

/** The goal as text for a ComputeRun. */
export function goalText(goal: Goal): string {
  return canonicalJson(goal);
}

/** Whether the text of a goal calls `deployer()`. A line break or tab stands there as an escape of JSON. */
export const asksForDeployer = (text: string): boolean => /(?:^|\W|\\[nrt])deployer(?:\s|\\[nrt]){0,100}\(/i.test(text);

/** Adds the deployer to the text of a goal, after the time at its beginning. */
export function withDeployer(text: string, deployer: Deployer): string {
  return text.replace(/^\{"at":"[^"]{0,40}",/, (time) => `${time}"deployer":${canonicalJson(deployer)},`);
}

/** The goal in the text of a ComputeRun that the operator has recorded. Throws SyntaxError for another text. */
export function parseGoal(text: string): Goal {
  const goal: unknown = JSON.parse(text);
  const isGoal = isObject(goal) && Array.isArray(goal['locations']) && !Number.isNaN(Date.parse(String(goal['at'])));
  if (!isGoal) throw new SyntaxError('The text is not the goal of a run');
  return goal as unknown as Goal;
}

/** The text of a goal without the time at which it was made, with which `goalText` begins. */
export function withoutTime(text: string | undefined): string | undefined {
  return text?.replace(/^\{"at":"[^"]{0,40}"/, '{');
}

/** Hash of the content of a goal; the time when it was made, and by whom, do not count. */
export function goalHash({ template, parameters, locations }: Goal): string {
  return jsonHash({ template, parameters, locations });
}

/** SHA-256 of the text of an ARM template, or of the manifests as canonical JSON. */
export function templateHash({ arm, manifests }: Goal['template']): string {
  return createHash('sha256')
    .update(arm?.json ?? canonicalJson(manifests ?? []))
    .digest('hex');
}

/** The parameters of a location: its own replace those of the deployment. */
export function parametersAt(goal: Goal, location: string): JsonObject {
  const own = goal.locations.find(({ name }) => name === location);
  return { ...goal.parameters, ...own?.parameters };
}
