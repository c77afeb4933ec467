import { mapped, type SupplierFile } from './reading';
import { encoded, workbook } from './workbook';

const lines = (...rows: readonly string[]) => rows.join('\r\n') + '\r\n';

/** Price lists of suppliers in China and Japan, with what a careful human reads in them. */
export const EAST_ASIAN_PRICE_LISTS: readonly SupplierFile[] = [
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
];
