import { testAmongNeighbours } from './neighbours.ts'

testAmongNeighbours('first')
