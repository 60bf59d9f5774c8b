import { useAddress } from '../../data/use-address.ts';
import { type MemoryAddress, readAddress } from './memory-address.ts';

/** The address of the page, and how to change parts of it. */
export const useMemoryAddress = () => useAddress<MemoryAddress, MemoryAddress>(readAddress, readAddress);
