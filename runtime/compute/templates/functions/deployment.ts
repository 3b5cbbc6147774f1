import type { TemplateValue } from '../values/value.ts';
import { resumeUnknowns } from '../values/value-info.ts';
import { dateText } from './dates.ts';
import { type Call, type FunctionTable, fail, stringAt } from './function-spec.ts';

const defaults = ['default of a parameter'] as const;

/** A parameter of a deployment inside the template may wait for answers, which a later run has. */
function current(value: TemplateValue, { run }: Call): TemplateValue {
  return run.known.size === 0 ? value : resumeUnknowns(value, run);
}

/** Functions of the deployment and its values. */
export const deployment: FunctionTable = {
  deployment: {
    arity: [0, 0],
    doc: 'The deployment: name, and of properties: mode, provisioningState, template, parameters as given.',
    evaluate: (_, call): TemplateValue => call.scope.environment.deployment(),
  },
  environment: {
    arity: [0, 0],
    doc: 'The cloud: name, portal, resourceManager, authentication, suffixes.',
    evaluate: (_, call): TemplateValue => call.scope.environment.context.environment,
  },
  deployer: {
    arity: [0, 0],
    doc: 'The identity that makes the resources: objectId and tenantId; userPrincipalName is empty.',
    evaluate: (_, call): TemplateValue => call.scope.environment.context.deployer,
  },
  fail: {
    arity: [1, 1],
    doc: 'Ends the deployment with the message.',
    evaluate: (args, call) => fail(call, stringAt(args, 0, call)),
  },
  newGuid: {
    arity: [0, 0],
    doc: 'A new GUID; in defaults of parameters alone.',
    places: defaults,
    evaluate: (_, call) => call.scope.environment.context.newGuid(),
  },
  parameters: {
    arity: [1, 1],
    doc: 'The value of a parameter.',
    evaluate: (args, call) => current(call.scope.environment.parameter(stringAt(args, 0, call)), call),
  },
  utcNow: {
    arity: [0, 1],
    doc: 'The time in a .NET format; in defaults of parameters alone.',
    places: defaults,
    evaluate: (args, call) => {
      const format = args[0] === undefined ? 'yyyyMMddTHHmmssZ' : stringAt(args, 0, call);
      return dateText(call.scope.environment.context.now, format, call);
    },
  },
  variables: {
    arity: [1, 1],
    doc: 'The value of a variable.',
    places: ['variable', 'value that must be known before the deployment', 'body of a resource', 'output'],
    evaluate: (args, call) => current(call.scope.environment.variable(stringAt(args, 0, call)), call),
  },
};
