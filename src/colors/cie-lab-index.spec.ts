import { inOrder } from './cie-lab-index';

it('rows come in the order of their rank with their distance, and what is gone is left out', () => {
  const ranked = [
    { id: 'b', distance: 0.5 },
    { id: 'gone', distance: 1 },
    { id: 'a', distance: 2 },
  ];
  const rows = [
    { id: 'a', name: '甲' },
    { id: 'b', name: '乙' },
  ];
  expect(inOrder(ranked, rows)).toEqual([
    { id: 'b', name: '乙', distance: 0.5 },
    { id: 'a', name: '甲', distance: 2 },
  ]);
});
