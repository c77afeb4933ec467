import { isPrivateAddress, namesPrivateHost } from './private-address';

describe('isPrivateAddress', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['127.0.0.1', '127.255.255.255', '128.0.0.0'],
    ['169.254.169.254', '169.254.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
    ['::', '::1', '::2'],
    ['64:ff9b::', '64:ff9b::a00:1', '64:ff9b:0:0:0:1::'],
    ['2002::', '2002:7f00:1::', '2003::'],
    ['fc00::1', 'fdff:ffff::', 'fe00::'],
    ['fe80::', 'febf:ffff::', 'fec0::'],
    ['ff00::', 'ff02::1', 'fbff::'],
    ['::ffff:10.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ])('%s and %s are, %s is not', (first, last, beside) => {
    expect([first, last, beside].map(isPrivateAddress)).toEqual([true, true, false]);
  });
});

describe('namesPrivateHost', () => {
  it.each([
    'http://127.0.0.1:8080/v1',
    'http://0x7f.1/',
    'http://2130706433',
    'http://[::1]/',
    'http://[::ffff:10.1.2.3]:1/',
    'https://LOCALHOST/v1',
    'http://localhost./',
    'http://a.localhost',
    'http://10.0.0.1.',
  ])('%s does', (url) => expect(namesPrivateHost(url)).toBe(true));

  it.each([
    'https://api.openai.com/v1',
    'http://8.8.8.8',
    'http://notlocalhost',
    'http://localhost.example.com',
    'http://[2606:4700::1]/',
  ])('%s does not', (url) => expect(namesPrivateHost(url)).toBe(false));
});
