import { mapped, type SupplierFile } from './reading';
import { encoded, workbook } from './workbook';

const lines = (...rows: readonly string[]) => rows.join('\r\n') + '\r\n';

/** Formulas as laboratories have them, with what a careful human reads in them. */
export const FORMULA_SHEETS: readonly SupplierFile[] = [
  {
    make: 'Chinese XLSX: title, phases merged downwards, 补足至100, sum by a formula, signatures',
    content: workbook({
      name: '配方',
      rows: [
        ['滋润面霜 配方表'],
        ['相别', '原料名称', 'INCI名称', '用量（%）', '备注'],
        ['A相', '去离子水', 'Aqua', '补足至100', '75℃'],
        [null, '甘油', 'Glycerin', 5],
        ['B相', '鲸蜡硬脂醇', 'Cetearyl Alcohol', { value: 3.3000000000000003, formula: '1.1*3' }],
        [null, '角鲨烷', 'Squalane', '4.5'],
        ['C相', '苯氧乙醇', 'Phenoxyethanol', 0.5],
        ['合计', null, null, { value: 100, formula: 'SUM(D3:D7)' }],
        [],
        ['制表：李工　审核：王工　日期：2026-03-01'],
      ],
      merged: ['A1:E1', 'A3:A4', 'A5:A6', 'A8:C8', 'A10:E10'],
    }),
    attempts: [
      {
        lines: [
          ['A相', 'Aqua', 86.7],
          ['A相', 'Glycerin', 5],
          ['B相', 'Cetearyl Alcohol', 3.3],
          ['B相', 'Squalane', 4.5],
          ['C相', 'Phenoxyethanol', 0.5],
        ],
        notes: [/sum was not read/, /制表/, /86\.7/],
      },
    ],
  },
  {
    make: 'XLSX with cells formatted as percent: 0.05 is shown as 5.00%',
    content: workbook({
      name: 'Sheet1',
      rows: [
        ['Phase', 'INCI', '%'],
        ['A', 'Aqua', '余量'],
        ['A', 'Glycerin', { value: 0.05, format: 'percent' }],
        ['B', 'Squalane', { value: 0.07, format: 'percent 0.0' }],
      ],
    }),
    attempts: [
      {
        lines: [
          ['A', 'Aqua', 88],
          ['A', 'Glycerin', 5],
          ['B', 'Squalane', 7],
        ],
      },
    ],
  },
  {
    make: 'German CSV in grams for a batch of 500 g: decimal comma, `ad 500`, `Gesamt`',
    content: Buffer.from(
      lines(
        'Phase;Rohstoff;Einwaage (g)',
        'A;Aqua;ad 500',
        'A;Glycerin;25,0',
        'B;Squalane;12,5',
        ';Gesamt;500,0',
      ),
    ),
    attempts: [
      {
        lines: [
          ['A', 'Aqua', 92.5],
          ['A', 'Glycerin', 5],
          ['B', 'Squalane', 2.5],
        ],
      },
    ],
  },
  {
    make: 'American CSV: phases as rows of their own, `q.s. to 100`, total',
    content: Buffer.from(
      lines(
        'Day Cream 12-04,,',
        'INCI,Trade Name,% w/w',
        'Phase A,,',
        'Aqua,Water,q.s. to 100',
        'Glycerin,Glycerin USP,3.00',
        'Phase B (oils),,',
        'Squalane,Olive Squalane,5.00%',
        'TOTAL,,100.00',
      ),
    ),
    attempts: [
      {
        lines: [
          ['Phase A', 'Aqua', 92],
          ['Phase A', 'Glycerin', 3],
          ['Phase B (oils)', 'Squalane', 5],
        ],
      },
    ],
  },
  {
    make: 'Chinese XLSX: units in a second header row, phases as merged rows, full-width percent',
    content: workbook({
      name: 'Sheet1',
      rows: [
        ['原料', '用量'],
        [null, '（%）'],
        ['A相：水相'],
        ['Aqua', '余量'],
        ['Glycerin', '３．５％'],
        ['B相：油相'],
        ['Squalane', 6],
      ],
      merged: ['A3:B3', 'A6:B6'],
    }),
    attempts: [
      {
        lines: [
          ['A相:水相', 'Aqua', 90.5],
          ['A相:水相', 'Glycerin', 3.5],
          ['B相:油相', 'Squalane', 6],
        ],
      },
    ],
  },
  {
    make: 'CSV in grams whose water is `q.s.` of a batch that nothing names',
    content: Buffer.from(lines('INCI,g', 'Aqua,q.s.', 'Glycerin,15', 'Squalane,12')),
    attempts: [{ known: ['Aqua', 'Glycerin', 'Squalane'], faults: [[2, 'g', 'q.s.', /total/]] }],
  },
  {
    make: 'French text with tabs in Windows-1252: `5,5 %`, `qsp 100 %`, `Quantité (%)`',
    content: encoded(
      lines(
        'Phase\tMatière première\tQuantité (%)',
        'A\tAqua\tqsp 100 %',
        'A\tGlycerin\t5,5 %',
        'B\tSqualane\t0,25 %',
        '\tTotal\t100 %',
      ),
      'windows-1252',
    ),
    attempts: [
      { asks: /windows-1252/i },
      {
        query: 'encoding=windows-1252',
        lines: [
          ['A', 'Aqua', 94.25],
          ['A', 'Glycerin', 5.5],
          ['B', 'Squalane', 0.25],
        ],
      },
    ],
  },
  {
    make: 'XLSX with the columns of two trials',
    content: workbook({
      name: 'Trials',
      rows: [
        ['Phase', 'INCI', 'Trial 1 (%)', 'Trial 2 (%)'],
        ['A', 'Aqua', 95, 94],
        ['A', 'Glycerin', 5, 6],
      ],
    }),
    attempts: [
      { asks: /"Trial 1 \(%\)" looks like percentage/ },
      {
        query: mapped('Trial 1 (%)=', 'Trial 2 (%)=percentage'),
        lines: [
          ['A', 'Aqua', 94],
          ['A', 'Glycerin', 6],
        ],
      },
    ],
  },
  {
    make: 'CSV with two formulas in grams below each other, each below the same header',
    content: Buffer.from(
      lines(
        'Cream 1,',
        'INCI,g',
        'Aqua,190',
        'Glycerin,10',
        ',',
        'Cream 2,',
        'INCI,g',
        'Aqua,180',
        'Glycerin,20',
      ),
    ),
    attempts: [
      { asks: /Row 7 is the header of another table.*headerRow/ },
      {
        query: 'headerRow=7',
        lines: [
          ['配方', 'Aqua', 90],
          ['配方', 'Glycerin', 10],
        ],
      },
    ],
  },
  {
    make: 'XLSX with shares of 1 under a header that does not say so',
    content: workbook({
      name: 'Sheet1',
      rows: [
        ['原料', '配比'],
        ['Aqua', 0.93],
        ['Glycerin', 0.05],
        ['Squalane', 0.02],
      ],
    }),
    attempts: [
      { asks: /"配比" looks like percentage/ },
      {
        query: mapped('配比=percentage'),
        known: ['Aqua', 'Glycerin', 'Squalane'],
        faults: [[2, '配比', '1', /100/]],
      },
    ],
  },
  {
    make: 'Chinese CSV: name above the table, `百分比(%)`, phases as lone letters, a sum without a label, a procedure',
    content: Buffer.from(
      lines(
        '产品名称,保湿霜,',
        '相,原料名称,百分比(%)',
        'A,,',
        ',Aqua,余量',
        ',Glycerin,5',
        'B,,',
        ',Squalane,6',
        ',,100',
        '制备工艺,,',
        '1,将A相加热至80℃,',
        '工艺说明：搅拌均匀,,',
        'Heat phase A to 80 °C,,',
        '制表人:李工,,日期:2026-03-01',
      ),
    ),
    attempts: [
      {
        lines: [
          ['A', 'Aqua', 89],
          ['A', 'Glycerin', 5],
          ['B', 'Squalane', 6],
        ],
        notes: [
          /sum was not read/,
          /制备工艺.*加热至80.*搅拌均匀.*Heat phase A.*制表人/,
          /Line 1, above the header/,
        ],
      },
    ],
  },
  {
    make: 'CSV whose shares are `配比` with percent signs, and a procedure in English',
    content: Buffer.from(
      lines('原料,配比', 'Aqua,94.5%', 'Glycerin,5.5%', 'Procedure: heat and stir,', 'Fill at 30 °C,'),
    ),
    attempts: [
      {
        lines: [
          ['配方', 'Aqua', 94.5],
          ['配方', 'Glycerin', 5.5],
        ],
        notes: [/Procedure.*Fill/],
      },
    ],
  },
  {
    make: 'CSV with `质量百分比`',
    content: Buffer.from(lines('原料,质量百分比', 'Aqua,94', 'Glycerin,6')),
    attempts: [
      {
        lines: [
          ['配方', 'Aqua', 94],
          ['配方', 'Glycerin', 6],
        ],
      },
    ],
  },
  {
    make: 'CSV in kilograms, with grams in one cell and the water to a batch of 20',
    content: Buffer.from(lines('原料,用量(kg)', 'Aqua,补足至20', 'Glycerin,1', 'Squalane,500 g')),
    attempts: [
      {
        lines: [
          ['配方', 'Aqua', 92.5],
          ['配方', 'Glycerin', 5],
          ['配方', 'Squalane', 2.5],
        ],
      },
    ],
  },
  {
    make: 'CSV with percent and grams of a batch of 500 g',
    content: Buffer.from(lines('原料,用量(%),用量(g)', 'Aqua,95,475', 'Glycerin,5,25')),
    attempts: [
      {
        lines: [
          ['配方', 'Aqua', 95],
          ['配方', 'Glycerin', 5],
        ],
      },
    ],
  },
  {
    make: 'CSV with percent and grams that contradict each other',
    content: Buffer.from(lines('原料,用量(%),用量(g)', 'Aqua,95,450', 'Glycerin,5,50')),
    attempts: [
      {
        known: ['Aqua', 'Glycerin'],
        faults: [[2, '用量(g)', '450', /^450 g of 500 g are 90 %, and the row has 95 %$/]],
      },
    ],
  },
  {
    make: 'CSV whose last row has a phase, a name and no amount',
    content: Buffer.from(lines('相,原料,用量(%)', 'A,Aqua,100', 'B,Parfum,')),
    attempts: [{ known: ['Aqua', 'Parfum'], faults: [[3, '用量(%)', '', /is empty/]] }],
  },
];
