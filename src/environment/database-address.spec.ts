import { databaseAddresses } from './database-address';

const FIRST = 'postgres://u:p@first:5433/d';
const SECOND = 'postgres://u:p@second/d';

describe('the addresses of a server', () => {
  it.each([
    ['postgres://u:p@h:5433/d', ['postgres://u:p@h:5433/d']],
    ['postgresql://h/d?sslmode=require', ['postgresql://h/d?sslmode=require']],
    ['postgres://u:p@first:5433,second/d', [FIRST, SECOND]],
    ['postgres://u:p@first:5433,second/d?target_session_attrs=read-write', [FIRST, SECOND]],
    ['postgres://u:p@first:5433,second/d?target_session_attrs=primary', [FIRST, SECOND]],
    [
      'postgres://h,[::1]:5434/d?sslmode=require&target_session_attrs=read-write',
      ['postgres://h/d?sslmode=require', 'postgres://[::1]:5434/d?sslmode=require'],
    ],
    ['postgres://h/d?target_session_attrs=read-write', ['postgres://h/d']],
  ])('of %s are %j', (url, addresses) => {
    expect(databaseAddresses(url)).toEqual(addresses);
  });

  it.each([
    'mysql://h/d',
    'no address',
    'postgres://h:port/d',
    'postgres://first,second:x/d',
    'postgres://first,second/d?target_session_attrs=any',
    'postgres://first,second/d?target_session_attrs=standby',
    'postgres://h/d?target_session_attrs=read-only',
  ])('%s is none', (url) => {
    expect(databaseAddresses(url)).toBeUndefined();
  });
});
