/** What a resource of the provider needs beside it, and its own block, as the user writes it. */
export interface Configured {
  /** Names of other resources of the list that come with it. */
  readonly with?: readonly string[];
  readonly block: string;
}

const place = `
  resource_group_name = azurerm_resource_group.one.name
  location            = azurerm_resource_group.one.location`;

/** A block of HCL with the name `one`. */
export const block = (type: string, body: string) => `resource "${type}" "one" {${body}\n}\n`;

/** In the resource group, with its region. */
export const placed = (type: string, body: string) => block(type, `${place}${body}`);

/** Of every user and administrator. */
export const password = 'Correct-Horse-7-Battery';
