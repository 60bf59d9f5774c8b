import { useAddress as useAnyAddress } from '../../data/use-address.ts';
import { type AgentsAddress, readAddress } from './address.ts';

/** The address of the page, and how to change parts of it. */
export const useAddress = () => useAnyAddress<AgentsAddress, AgentsAddress>(readAddress, readAddress);
