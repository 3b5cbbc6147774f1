import { expected } from '../base/errors.ts';
import { type Flag, optional, switchFlag } from '../base/program.ts';
import { named } from '../base/settings.ts';

/** A name of an object, or the ARM id of a resource group. */
const resourceGroupForm = /^([a-z0-9][-a-z0-9.]{0,252}|\/subscriptions\/[^/\s]{1,80}\/resourceGroups\/[^/\s]{1,90})$/i;

/** Flags of commands that take an ARM template. */
export const templateFlags = {
  parameters: {
    flag: 'parameters',
    short: 'p',
    value: 'FILE',
    default: '',
    meaning: 'parameters of an ARM template: a parameters file in JSON, YAML or Bicep',
    parse: optional,
  },
  resourceGroup: {
    flag: 'resource-group',
    value: 'NAME',
    default: '',
    meaning: 'of an ARM template: name of a ResourceGroup object of the namespace, or an ARM id',
    parse(setting, text): string | undefined {
      const given = text(setting);
      if (given === '' || resourceGroupForm.test(given)) return given || undefined;
      throw expected(named(setting), 'the name of a ResourceGroup, or the ARM id of a resource group', given);
    },
  },
  location: {
    flag: 'location',
    value: 'NAME',
    default: '',
    meaning: 'of an ARM template: the region, such as westeurope',
    parse: optional,
  },
  managementGroup: {
    flag: 'management-group',
    value: 'NAME',
    default: '',
    meaning: 'of an ARM template for a management group: its name',
    parse: optional,
  },
  templateRoot: {
    flag: 'template-root',
    value: 'FOLDER',
    default: '',
    meaning: 'of an ARM template: folder with the templates that its links name',
    parse: optional,
  },
  bicep: switchFlag('bicep', 'the files are Bicep, whatever their names: the program bicep on the PATH compiles them'),
} as const satisfies Record<string, Flag>;
