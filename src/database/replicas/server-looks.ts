import { serverDriver } from '../server-driver';
import { serversOf } from '../server-hosts';
import { LOOK_PATIENCE_MS, RepeatedLook } from './repeated-look';
import { LOOK_AT_PRIMARY, LOOK_AT_REPLICA, type PrimaryRow, type ReplicaRow } from './replica-statements';

/** What the servers show of the connections of looks. */
const LOOKS = 'formula-replica-looks';

const nobody = () => undefined;

/** @param url of one server, or of several of which one takes writes */
function clientsOf(url: string) {
  const { address, hosts } = serversOf(url, nobody);
  const driver = serverDriver(undefined, nobody, hosts);
  return () =>
    new driver.Client({
      connectionString: address,
      application_name: LOOKS,
      keepAlive: true,
      connectionTimeoutMillis: LOOK_PATIENCE_MS,
      query_timeout: LOOK_PATIENCE_MS,
    });
}

export const lookAtPrimary = (url: string): RepeatedLook<PrimaryRow> =>
  new RepeatedLook(clientsOf(url), LOOK_AT_PRIMARY);

export const lookAt = (url: string): RepeatedLook<ReplicaRow> =>
  new RepeatedLook(clientsOf(url), LOOK_AT_REPLICA);

/** Host and port, as the driver takes them: an address may hold a password. */
export function nameOfServer(url: string): string {
  const { host, port } = clientsOf(url)();
  return `${host}:${port}`;
}
