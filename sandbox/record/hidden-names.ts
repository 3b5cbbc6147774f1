import { memberNames } from './member-names.ts';

/** Names of members and types that hold a secret, in lower case. */
const secret =
  /key|passw|passphrase|^pass$|pwd|secret|token|^sas|sas$|sasur[il]|signature|^sig$|credential|cert|pfx|^pem$|^psk$|connectionstring|protected|kubeconfig/;
/** Names that only look like those of secrets. */
const plain =
  /^(keysource|keytype|keysize|keyname|keypolicy|keyops|partitionkeys?|allowsharedkeyaccess|certificatesource)$/;
/** Members that hold what users wrote: texts, programs, settings, templates. */
const content =
  /script(?!ion)|command|template$|metadata$|value$|headers?$|body$|query(string)?$|^(description|message|details?|text|title|notes?|comments?|tags|labels|annotations|settings|\w*settings|env|environmentvariables|parameters|variables|definitions?|outputs?|content|payload|args|\w*arguments|exec|customdata|userdata|xml|policy)$/;
/** Members that name people. */
const person =
  /username$|login$|displayname|friendlyname|principalname|^e?mail|email|phone|contact|owner|author(?!iz)|createdby|modifiedby|company|organization|(given|sur|first|last|full)name$|publishername|^(default|tenantdefault)?domains?$/;

/** Whether a member or a type of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const key = name.toLowerCase();
  return (secret.test(key) && !plain.test(key)) || (memberNames().secret.has(key) && !/^(clientid|appid)$/.test(key));
}

/** Whether nothing below a member of this name may be shown. */
export function isHiddenName(name: string): boolean {
  const key = name.toLowerCase();
  return isSecretName(key) || content.test(key) || person.test(key);
}

/** Whether a type of Azure has a member of this name. */
export const isKnownName = (name: string): boolean => memberNames().known.has(name.toLowerCase());
