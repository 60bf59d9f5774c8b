import './judge.ts';
import './kit.ts';
import './many.ts';
