import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';

/** What a deployment is to deploy, as its request says. */
export interface DeploymentRequest {
  readonly template: Json;
  readonly parameters: Json;
  readonly mode: 'Incremental' | 'Complete';
  readonly location?: string;
  readonly tags?: Json;
}

/** Reads the body of a deployment. Throws Azure's refusal of one without a template that can be read. */
export function deploymentRequest(body: Json, needsLocation: boolean, context: BehaviourContext): DeploymentRequest {
  const properties = body['properties'];
  if (!isObject(properties)) {
    throw refuse(
      400,
      'InvalidRequestContent',
      "The request content was invalid and could not be deserialized: 'Required property 'properties' not found in JSON.'.",
    );
  }
  const location = stringOf(body['location']);
  if (needsLocation && location === '') {
    throw refuse(400, 'LocationRequired', 'The location property is required for this deployment.');
  }
  if (properties['parametersLink'] !== undefined) throw notDownloaded(stringOf(at(properties, 'parametersLink.uri')));
  return {
    template: templateOf(properties, context),
    parameters: objectOf(properties['parameters']),
    mode: stringOf(properties['mode']).toLowerCase() === 'complete' ? 'Complete' : 'Incremental',
    ...(location === '' ? {} : { location: location.toLowerCase().replaceAll(' ', '') }),
    ...(isObject(body['tags']) ? { tags: body['tags'] } : {}),
  };
}

function templateOf(properties: Json, { state }: BehaviourContext): Json {
  const { template, templateLink } = properties;
  if (isObject(template)) return template;
  const link = objectOf(templateLink);
  const specification = stringOf(link['id']);
  if (specification !== '') {
    const found = at(state.resources.get(specification)?.body, 'properties.mainTemplate');
    if (isObject(found)) return found;
    throw refuse(404, 'TemplateSpecVersionNotFound', `The template spec version '${specification}' was not found.`);
  }
  if (stringOf(link['uri']) !== '') throw notDownloaded(stringOf(link['uri']));
  throw refuse(
    400,
    'InvalidDeployment',
    "The deployment is invalid: one of 'template' and 'templateLink' must be present in its properties.",
  );
}

/** The sandbox reads no other host. */
const notDownloaded = (uri: string) =>
  refuse(400, 'InvalidContentLink', `Unable to download deployment content from '${uri}'. Send the content itself.`);
