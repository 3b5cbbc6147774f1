import { type Flag, optional } from '../base/program.ts';
import { bool } from '../base/settings.ts';

/** Flags of commands that take an ARM template. */
export const templateFlags = {
  parameters: {
    flag: 'parameters',
    short: 'p',
    value: 'FILE',
    default: '',
    meaning: 'parameters of an ARM template: a parameters file',
    parse: optional,
  },
  resourceGroup: {
    flag: 'resource-group',
    value: 'NAME',
    default: '',
    meaning: 'of an ARM template: name of a ResourceGroup object of the namespace, or an ARM id',
    parse: optional,
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
  bicep: {
    flag: 'bicep',
    default: '',
    boolean: true,
    meaning: 'the files are Bicep, whatever their names: the program bicep on the PATH compiles them',
    parse: (setting, text) => text(setting) !== '' && bool(setting, text),
  },
} as const satisfies Record<string, Flag>;
