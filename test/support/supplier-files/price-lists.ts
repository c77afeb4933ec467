import { mapped, type SupplierFile } from './reading';
import { encoded, workbook } from './workbook';

const lines = (...rows: readonly string[]) => rows.join('\r\n') + '\r\n';

/** Price lists of suppliers, with what a careful human reads in them. */
export const PRICE_LISTS: readonly SupplierFile[] = [
  {
    make: 'Chinese XLSX: merged titles, full-width header with unit, price with ￥ as text, range, 询价, merged footer',
    content: workbook({
      name: '报价单',
      rows: [
        ['广州某某生物科技有限公司 报价单'],
        ['报价日期：2026-03-01', null, null, '联系人：李小姐'],
        [],
        ['序号', '中文名称', 'ＩＮＣＩ名称', '规格', '含税单价（元／ｋｇ）', '起订量（MOQ）'],
        [1, '甘油', 'Glycerin', '25kg/桶', 9.8, '200kg'],
        [2, '透明质酸钠', 'Sodium Hyaluronate', '1kg/袋', '￥1,250.00', '1kg'],
        [3, '烟酰胺', 'Niacinamide', '25kg/桶', '询价', '25kg'],
        [4, '卡波姆', 'Carbomer', '20kg/箱', '120-150', '20kg'],
        [],
        ['备注：1. 以上价格含13%增值税；2. 报价有效期30天。'],
      ],
      merged: ['A1:F1', 'A2:C2', 'A10:F10'],
    }),
    attempts: [
      {
        prices: [
          ['Glycerin', 9.8, 'kg'],
          ['Sodium Hyaluronate', 1250, 'kg'],
          ['Niacinamide', null, 'kg'],
        ],
        faults: [[8, '含税单价（元／ｋｇ）', '120-150', /not a number/]],
        notes: [/prices on request/, /Lines 1 to 2/],
      },
    ],
  },
  {
    make: 'Chinese CSV in GBK: ￥ in cells, full-width digits, thousands, empty rows, suppliers, 停产',
    content: encoded(
      lines(
        '供应商,中文名称,INCI名称,单价(元/公斤)',
        '某某化工,丙二醇,Propylene Glycol,￥１２．５',
        ',,,',
        '某某化工,红没药醇,Bisabolol,"￥1,280.00"',
        '',
        '另一家,氯苯甘醚,Chlorphenesin,停产',
      ),
      'gbk',
    ),
    attempts: [
      {
        prices: [
          ['Propylene Glycol', 12.5, 'kg', '某某化工'],
          ['Bisabolol', 1280, 'kg', '某某化工'],
          ['Chlorphenesin', null, 'kg', '另一家'],
        ],
        notes: [/Read as GBK/],
      },
    ],
  },
  {
    make: 'Chinese CSV in GB18030 with a four-byte character: prices with their unit in the cell',
    content: Buffer.concat([
      encoded('中文名,INCI,价格\r\n', 'gbk'),
      Buffer.from([0x81, 0x39, 0xee, 0x39]),
      encoded('果提取物,Fig Extract,180元/kg\r\n甜菜碱,Betaine,35.5元/kg\r\n', 'gbk'),
    ]),
    attempts: [
      {
        prices: [
          ['Fig Extract', 180, 'kg'],
          ['Betaine', 35.5, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'German CSV in Windows-1252: title, decimal comma, 1.234,56, `auf Anfrage`, trailing note',
    content: encoded(
      lines(
        'Müller Rohstoffe GmbH;;;;',
        'INCI-Bezeichnung;Handelsname;CAS-Nr.;Preis €/kg;Mindestmenge',
        'Panthenol;D-Panthenol 75;81-13-0;18,90;5 kg',
        'Ceramide NP;Süßmandel-Ceramid;100403-19-8;1.234,56;10 g',
        'Bisabolol;α-frei;23089-26-1;auf Anfrage;1 kg'.replace('α', 'á'),
        'Alle Preise zzgl. MwSt., gültig bis 31.12.2026;;;;',
      ),
      'windows-1252',
    ),
    attempts: [
      { asks: /could be .*windows-1252/i },
      {
        query: 'encoding=windows-1252',
        prices: [
          ['Panthenol', 18.9, 'kg'],
          ['Ceramide NP', 1234.56, 'kg'],
          ['Bisabolol', null, 'kg'],
        ],
        notes: [/prices on request/, /Alle Preise zzgl/],
      },
    ],
  },
  {
    make: 'German XLSX from SAP: price, price unit (PE) and unit (ME) in columns of their own',
    content: workbook({
      name: 'Export',
      rows: [
        ['INCI', 'Preis', 'PE', 'ME'],
        ['Tocopherol', 125, 100, 'KG'],
        ['Squalane', 31, 1, 'KG'],
      ],
    }),
    attempts: [{ asks: /"PE" looks like unit/ }],
  },
  {
    make: 'German XLSX: a number stored as text that could be thousands, beside real numbers',
    content: workbook({
      name: 'Preise',
      rows: [
        ['INCI', 'Preis (€/kg)'],
        ['Bakuchiol', '1.250'],
        ['Allantoin', 28.5],
      ],
    }),
    attempts: [
      {
        prices: [['Allantoin', 28.5, 'kg']],
        faults: [[2, 'Preis (€/kg)', '1.250', /could be 1\.250 or 1250/]],
      },
    ],
  },
  {
    make: 'German XLSX: prices per 100 g',
    content: workbook({
      name: 'Wirkstoffe',
      rows: [
        ['INCI Name', 'Preis (€/100 g)'],
        ['Retinal', 89.9],
        ['Ferulic Acid', '12,50'],
      ],
    }),
    attempts: [
      {
        prices: [
          ['Retinal', 899, 'kg'],
          ['Ferulic Acid', 125, 'kg'],
        ],
        notes: [/prices are per 100 g/],
      },
    ],
  },
  {
    make: 'French CSV, UTF-8 with a mark: 1 234,56 with narrow and plain NBSP, `sur demande`, `Fournisseur`, note',
    content: Buffer.from(
      '\ufeff' +
        lines(
          'Nom INCI;Nom commercial;N° CAS;Fournisseur;Prix unitaire HT (€/kg);Conditionnement',
          'Squalane;Squalane végétal;111-01-3;Dupont;1\u00a0234,56;Fût 180 kg',
          'Xanthan Gum;Gomme xanthane;11138-66-2;Dupont;14,2;Sac 25 kg',
          'Caffeine;Caféine;58-08-2;Dupont;1\u202f050,00;Carton 25 kg',
          'Parfum;Fleur blanche;;Dupont;sur demande;',
          ';;;;;',
          "Prix valables jusqu'au 31/12/2026, départ usine;;;;;",
        ),
    ),
    attempts: [
      {
        prices: [
          ['Squalane', 1234.56, 'kg', 'Dupont'],
          ['Xanthan Gum', 14.2, 'kg', 'Dupont'],
          ['Caffeine', 1050, 'kg', 'Dupont'],
          ['Parfum', null, 'kg', 'Dupont'],
        ],
        notes: [/prices on request/, /Prix valables/],
      },
    ],
  },
  {
    make: 'Italian XLSX: header in two rows, prices for three quantities',
    content: workbook({
      name: 'Listino',
      rows: [
        ['Listino prezzi 2026'],
        ['INCI', 'Prezzo €/kg', null, null, 'Note'],
        [null, '25 kg', '100 kg', '500 kg'],
        ['Cetearyl Alcohol', 6.2, 5.8, 5.1],
        ['Glyceryl Stearate', 7.4, 7, 6.35],
      ],
      merged: ['A2:A3', 'B2:D2', 'E2:E3'],
    }),
    attempts: [
      { asks: /"Prezzo €\/kg 25 kg" looks like unitPrice/ },
      {
        query: mapped('Prezzo €/kg 25 kg=unitPrice', 'Prezzo €/kg 100 kg=', 'Prezzo €/kg 500 kg='),
        prices: [
          ['Cetearyl Alcohol', 6.2, 'kg'],
          ['Glyceryl Stearate', 7.4, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'Japanese XLSX: cover sheet, 単価(円/kg), full-width digits, お問い合わせ',
    content: workbook(
      { name: '表紙', rows: [['価格表'], ['2026年4月'], ['株式会社サンプル']] },
      {
        name: '価格表',
        rows: [
          ['化粧品表示名称', 'INCI名', '荷姿', '単価(円/kg)', '納期'],
          ['グリセリン', 'Glycerin', '20kg缶', '４，５００', '3日'],
          ['スクワラン', 'Squalane', '15kg缶', 5800.5, '3日'],
          ['トラネキサム酸', 'Tranexamic Acid', '1kg', 'お問い合わせ', '14日'],
        ],
      },
    ),
    attempts: [
      {
        prices: [
          ['Glycerin', 4500, 'kg'],
          ['Squalane', 5800.5, 'kg'],
          ['Tranexamic Acid', null, 'kg'],
        ],
        notes: [/Sheet "価格表" was read, and not "表紙"/, /prices on request/],
      },
    ],
  },
  {
    make: 'American text in UTF-16LE with tabs: price per pound, POA',
    content: Buffer.from(
      '\ufeff' +
        lines(
          'Trade Name\tINCI Name\tCAS\tPrice (USD/lb)\tPack Size',
          'Dow 200\tDimethicone\t63148-62-9\t$4.25\t440 lb drum',
          'Natrosol\tHydroxyethylcellulose\t9004-62-0\t$12.10\t50 lb bag',
          'Rare\tTocotrienols\t\tPOA\t1 lb',
        ),
      'utf16le',
    ),
    attempts: [
      { asks: /"Price \(USD\/lb\)" looks like unitPrice/ },
      {
        query: mapped('Price (USD/lb)=unitPrice'),
        prices: [
          ['Dimethicone', 4.25, 'lb'],
          ['Hydroxyethylcellulose', 12.1, 'lb'],
          ['Tocotrienols', null, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'British XLSX of a small seller: a price for each pack, no unit',
    content: workbook({
      name: 'Sheet1',
      rows: [
        ['INCI Name', 'Size', 'Price'],
        ['Niacinamide', '100 g', '£4.50'],
        ['Shea Butter', '1 kg', '£11.00'],
        ['Rosehip Oil', '250 ml', '£9.25'],
        ['Vitamin C', '454 g', '£19.99'],
      ],
    }),
    attempts: [
      {
        faults: [
          [2, 'Size', '100 g', /"Price" does not say .*map "Size=unit"/],
          [4, 'Size', '250 ml', /does not say/],
          [5, 'Size', '454 g', /does not say/],
        ],
        prices: [['Shea Butter', 11, 'kg']],
      },
      {
        query: mapped('Size=unit'),
        prices: [
          ['Niacinamide', 4.5, '100 g'],
          ['Shea Butter', 11, '1 kg'],
          ['Rosehip Oil', 9.25, '250 ml'],
          ['Vitamin C', 19.99, '454 g'],
        ],
      },
      {
        query: mapped('Size='),
        prices: [
          ['Niacinamide', 4.5, 'kg'],
          ['Shea Butter', 11, 'kg'],
          ['Rosehip Oil', 9.25, 'kg'],
          ['Vitamin C', 19.99, 'kg'],
        ],
      },
    ],
  },
  {
    make: "Swiss CSV with semicolons: 1'234.56, EINECS, dash, n/a, header repeated for each page",
    content: Buffer.from(
      lines(
        'INCI name;EINECS;Preis CHF/kg',
        "Hyaluronic Acid;232-678-0;1'234.56",
        'Urea;200-315-5;-',
        'INCI name;EINECS;Preis CHF/kg',
        'Lecithin;232-307-2;27.80',
        'Inositol;201-781-2;n/a',
      ),
    ),
    attempts: [
      {
        prices: [
          ['Hyaluronic Acid', 1234.56, 'kg'],
          ['Urea', null, 'kg'],
          ['Lecithin', 27.8, 'kg'],
          ['Inositol', null, 'kg'],
        ],
        notes: [/header again were not read: 4/],
      },
    ],
  },
  {
    make: 'XLSX with formulas and noise in their results, hidden old prices, merged supplier, headings of groups, dates',
    content: workbook({
      name: 'Prices',
      rows: [
        ['INCI Name', 'Supplier', 'Old price (€/kg)', 'Price (€/kg)', 'Valid from'],
        ['EMULSIFIERS'],
        [
          'Sorbitan Oleate',
          'Acme',
          4,
          { value: 12.350000000000001, formula: 'C3*3' },
          { value: 46082, format: 'date' },
        ],
        ['Polysorbate 20', null, 5, { formula: 'C4*3' }, { value: 46082, format: 'date' }],
        ['PRESERVATIVES'],
        ['Phenoxyethanol', 'Acme', 6, 6.5, { value: 46082, format: 'date' }],
        ['Benzoic Acid', null, 7, 7.25, { value: 46082, format: 'date' }],
      ],
      merged: ['A2:E2', 'B3:B4', 'A5:E5', 'B6:B7'],
      hiddenRows: [7],
      hiddenColumns: [3],
    }),
    attempts: [
      { asks: /"Old price \(€\/kg\)" looks like unitPrice/ },
      {
        query: mapped('Old price (€/kg)='),
        prices: [
          ['Sorbitan Oleate', 12.35, 'kg', 'Acme'],
          ['Phenoxyethanol', 6.5, 'kg', 'Acme'],
          ['Benzoic Acid', 7.25, 'kg', 'Acme'],
        ],
        faults: [[4, 'Price (€/kg)', '', /formula without its result/]],
        notes: [/Hidden rows were read as the others: 7/, /EMULSIFIERS/],
      },
    ],
  },
  {
    make: 'XLSX of an importer whose numbers are shown in € or in US$, by the format of their cells',
    content: workbook({
      name: 'Prices',
      rows: [
        ['INCI', 'Price per kg'],
        ['Argan Oil', { value: 21.5, format: '€' }],
        ['Jojoba Oil', { value: 18, format: 'US$' }],
        ['Castor Oil', 4.2],
      ],
    }),
    attempts: [
      {
        prices: [['Castor Oil', 4.2, 'kg']],
        faults: [
          [2, 'Price per kg', '21.5', /is in EUR, and the column has EUR and USD/],
          [3, 'Price per kg', '18', /is in USD/],
        ],
      },
    ],
  },
  {
    make: 'Chinese CSV of a bulk dealer: 万元/吨, a price for two packs, 12/15',
    content: Buffer.from(
      lines(
        'INCI,单价(万元/吨),零售价',
        'Mineral Oil,0.95,12/15',
        'Paraffin,1.1,12元/500g',
        'Talc,0.3,"12,--"',
      ),
    ),
    attempts: [
      { asks: /"单价\(万元\/吨\)" looks like unitPrice/ },
      {
        query: mapped('单价(万元/吨)=unitPrice', '零售价='),
        faults: [2, 3, 4].map((row, at) => [
          ...([row, '单价(万元/吨)', ['0.95', '1.1', '0.3'][at]!, /hundredths or thousands/] as const),
        ]),
      },
      {
        query: mapped('单价(万元/吨)=', '零售价=unitPrice'),
        prices: [
          ['Paraffin', 24, 'kg'],
          ['Talc', 12, 'kg'],
        ],
        faults: [[2, '零售价', '12/15', /not a number/]],
      },
    ],
  },
  {
    make: 'XLSX with two tables below each other, the second per 100 g and in another order',
    content: workbook({
      name: 'List',
      rows: [
        ['Bulk'],
        ['INCI', 'RMB/kg'],
        ['Glycerin', 9],
        ['Urea', 11],
        [],
        ['Actives'],
        ['元/100g', 'INCI'],
        [55, 'Retinol'],
        [31.5, 'Adenosine'],
      ],
    }),
    attempts: [
      { asks: /[Rr]ow 7 .*header.*headerRow/ },
      {
        query: 'headerRow=2',
        prices: [
          ['Glycerin', 9, 'kg'],
          ['Urea', 11, 'kg'],
        ],
        notes: [/[Rr]ow 7/],
      },
      {
        query: 'headerRow=7',
        prices: [
          ['Retinol', 550, 'kg'],
          ['Adenosine', 315, 'kg'],
        ],
      },
    ],
  },
];
