import type { Request } from 'express';
import { addressClient, addressOf, clientOf, isAddressClient, keepClient, userClient } from './client';

const from = (ip: string | undefined, remoteAddress: string | undefined = '10.0.0.9') =>
  ({ ip, socket: { remoteAddress } }) as Request;

describe('client', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])('of %s is the address %s', (ip, address) => {
    expect(addressOf(from(ip))).toBe(address);
    expect(addressOf(from(ip))).toBe(address);
  });

  it.each(['unknown', '', '10.0.0.1:80', '[::1]', '1.2.3', '10.0.0.1%x', 'x'.repeat(5000), undefined])(
    'of %p, which is no address, is the socket’s',
    (ip) => {
      expect(addressOf(from(ip))).toBe('10.0.0.9');
      expect(addressOf(from(ip, '::ffff:10.0.0.8'))).toBe('10.0.0.8');
    },
  );

  it('has no address when its connection is gone', () => {
    expect(addressOf({ socket: {} } as Request)).toBe('');
  });

  it('is the one that was kept with the request, else its address', () => {
    const request = from('10.0.0.1');
    expect(clientOf(request)).toBe('address|10.0.0.1');
    expect(keepClient(request, userClient('lin'))).toBe('user|lin');
    expect(clientOf(request)).toBe('user|lin');
  });

  it('tells addresses from users', () => {
    expect(isAddressClient(addressClient(from('10.0.0.1')))).toBe(true);
    expect(isAddressClient(userClient('address|10.0.0.1'))).toBe(false);
  });
});
