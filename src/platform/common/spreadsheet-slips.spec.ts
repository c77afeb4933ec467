import { spreadsheetSlip } from './spreadsheet-slips';

describe('spreadsheetSlip', () => {
  it.each([
    ...[
      '#N/A',
      '#REF!',
      '#VALUE!',
      '#DIV/0!',
      '#NAME?',
      '#NUM!',
      '#NULL!',
      '#SPILL!',
      '#CALC!',
      '#GETTING_DATA',
    ],
    ...['#NV', '#BEZUG!', '#N/D', '#VALEUR!', '#####', ' #N/A ', 'Err:502'],
  ])('knows the error %j wherever it stands', (text) => {
    expect(spreadsheetSlip(text, undefined, false)).toEqual({ error: text.trim() });
  });

  it.each(['#1', '# of parts', 'N/A', '#ref!', 'D&C Red #33', '#', '', 'Error', '#N/A or so'])(
    'takes %j for a text',
    (text) => expect(spreadsheetSlip(text, undefined, true)).toBeUndefined(),
  );

  it.each([
    ...[
      '2024-03-06',
      '2024/3/6',
      '2024/3/6 0:00',
      '2024-03-06T00:00:00.000Z',
      '06.03.2024',
      '3/6/24',
      '31.12.2024',
      '12/31/2024',
    ],
    ...['6-Mar', '06-Mar-24', '6. Mrz', 'Mar-06', 'Mar 2024', '3月6日', '2024年3月6日', '2024年3月'],
  ])('knows the date %j in place of a name', (text) => {
    expect(spreadsheetSlip(text, undefined, true)).toEqual({ date: expect.any(String) });
    expect(spreadsheetSlip(text, undefined, false)).toBeUndefined();
  });

  it('knows what a spreadsheet says is a date or a number', () => {
    expect(spreadsheetSlip('2024-03-06T00:00:00.000Z', 'date', true)).toEqual({ date: '2024-03-06' });
    expect(spreadsheetSlip('2024-03-06T00:00:00.000Z', 'date', false)).toBeUndefined();
    expect(spreadsheetSlip('45357', 'number', true)).toBeUndefined();
  });

  it.each([
    '50-00-0',
    '5989-27-5',
    '7732-18-5',
    '2024-13-01',
    '31.31.2024',
    '2024-00-01',
    '1,2-Hexanediol',
    'PEG-8',
    'MARIS AQUA',
    'CI 77491',
    '10-2024',
    'May',
    'C12-15',
    'Decyl 20',
  ])('takes %j for a name', (text) => expect(spreadsheetSlip(text, undefined, true)).toBeUndefined());
});
