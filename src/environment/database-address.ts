/** Protocol, credentials, hosts, database, parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?(.*))?$/;

const TARGET = 'target_session_attrs';

/**
 * The addresses of each server of one that may name several as PostgreSQL's own clients take it:
 * `postgres://user:password@first,second:5433/database?target_session_attrs=read-write`.
 * @returns undefined where it is no such address, or asks for servers that take no writes
 */
export function databaseAddresses(url: string): readonly string[] | undefined {
  const [, protocol, credentials = '', hosts, path, query = ''] = ADDRESS.exec(url) ?? [];
  if (protocol === undefined || hosts === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const target = parameters.get(TARGET);
  if (target !== null && target !== 'read-write' && target !== 'primary') return undefined;
  // What is not there stays as it was written.
  if (target !== null) parameters.delete(TARGET);
  const kept = target === null ? query : parameters.toString();
  const addresses = hosts
    .split(',')
    .map((host) => `${protocol}${credentials}${host}${path}${kept === '' ? '' : `?${kept}`}`);
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined;
}
