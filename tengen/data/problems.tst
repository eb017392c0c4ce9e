# Problems on 9x9 with known answers, for 'tengen regress'.
# The komi of each is chosen so that the right moves win the game and all others lose it (area scoring, all stones on
# the board count as alive). Each answer was solved by searches of 50,000 simulations with three seeds, and all other
# legal moves were refuted by searches of 20,000. Diagrams: X is Black, O is White.
# scripts/problem-records writes the records from the diagrams.

# Capture: capture the stone that cuts. Black to play, komi -16.5.
#   . O . O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   . O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   X X X X X O X X .
#   . X X X O . X X .
loadsgf problems/10.sgf
10 reg_genmove b
#? [F1]

# Capture: cut two groups with one eye each. Black to play, komi 15.5.
#   . O O X X X X O .
#   . O O X X X X O O
#   . O O X X X X . X
#   . O O X X X X O O
#   . O O X X X X O .
#   . O O X X X X O O
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X . X .
loadsgf problems/20.sgf
20 reg_genmove b
#? [H7]

# Capture: block the way out. Black to play, komi -7.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O X . .
#   O O O O O O X O .
#   . O O O X X X O .
#   O O O O X . X X X
#   . O O O X X X X X
loadsgf problems/30.sgf
30 reg_genmove b
#? [H5]

# Escape: connect two groups with one eye each. White to play, komi 15.5.
#   . O O X X X . X .
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X O O
#   . O O X X X X O .
#   . O O X X X X O O
#   . O O X X X X . X
#   . O O X X X X O O
#   . O O X X X X O .
loadsgf problems/40.sgf
40 reg_genmove w
#? [H3]

# Escape: connect to the outside. White to play, komi -7.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   . . X O O O O O O
#   . O X O O O O O O
#   . O X X X O O O .
#   X X X . X O O O O
#   X X X X X O O O .
loadsgf problems/50.sgf
50 reg_genmove w
#? [A4|A5|B5]

# Ladder: drive the stones against the wall. White to play, komi -13.5.
#   . O O O X X X X .
#   O O O O X O O X X
#   . O O O O X O . X
#   O O O . . X O . X
#   O O . . . . . X X
#   O . . . . . X X .
#   O . . . . X X X X
#   O O O O O O O X X
#   . O . O O O O X .
loadsgf problems/60.sgf
60 reg_genmove w
#? [F5]

# Ladder: drive the stones away from their friends. Black to play, komi 1.5.
#   . O O O O . O O .
#   O O . . O O O O O
#   O X X X . O O X X
#   O X O O . . O X X
#   O O X . . . O X X
#   X X X . . O O X X
#   X X X X . . O X .
#   X X X X X . O X X
#   . X . X X X X X .
loadsgf problems/70.sgf
70 reg_genmove b
#? [E6]

# Snapback: throw in for a snapback. White to play, komi 7.5.
#   O O O O O X X X .
#   O X O . O X X X X
#   . X O O O X X X .
#   . X O X X X X X X
#   X O O X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   . . . . . . . . .
loadsgf problems/80.sgf
80 reg_genmove w
#? [A6]

# Snapback: connect before the snapback. White to play, komi -7.5.
#   . O . O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   X X X O O O X X .
#   X . X O O O X X .
#   X X X X X O X X .
#   X O O O X O X X .
#   X X . . O O X X .
loadsgf problems/90.sgf
90 reg_genmove w
#? [D1]

# Ko: take the ko that connects. White to play, komi 16.5.
#   . O O O X O O O .
#   . O O X . X O O O
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X X .
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X . X .
loadsgf problems/100.sgf
100 reg_genmove w
#? [E8]

# Ko: end the ko. Black to play, komi -16.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O X
#   O O O O O O O . O
#   O O O O O O O O X
#   . O O O O O O X X
#   O O O O O O O X X
#   . O O . O O O X .
loadsgf problems/110.sgf
play b H5
play w D1
110 reg_genmove b
#? [J5]

# Ko: find a ko threat. Black to play, komi -13.5.
#   . O O X X X . X .
#   . O O X X X X X X
#   . O O X O O O O O
#   . O O X O . . . .
#   . O O X O O O O O
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X . X O O O
#   . O O O X O O O .
loadsgf problems/120.sgf
play w E2
120 reg_genmove b
#? [G6|H6]

# Life and death: make two eyes in a row of three. Black to play, komi -19.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   X X O O O O O O O
#   . X O O O O O O .
#   . X O O O O O O O
#   . X O . O O O O .
loadsgf problems/130.sgf
130 reg_genmove b
#? [A2]

# Life and death: live with a bulky five. White to play, komi 16.5.
#   . X X X . X O . .
#   X X X X X X O . .
#   . X X X X X O O .
#   X X X X X X X O O
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   . . . . . . . . .
loadsgf problems/140.sgf
140 reg_genmove w
#? [J8]

# Life and death: one group is alive, save the other. Black to play, komi 7.5.
#   . . . . X O X X .
#   X X X X X O X X .
#   O O O O O O X X .
#   X X X X X O X X .
#   X . . . X O X X .
#   X X X X X O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   . O . O O O X X .
loadsgf problems/150.sgf
150 reg_genmove b
#? [C5]

# Life and death: one group is dead, save the other. White to play, komi 12.5.
#   . O X X O O O X .
#   . O X X O . O X X
#   O O X X O . O X .
#   X X X X O . O X X
#   X X X X O O O X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   . . . . . . . . .
loadsgf problems/160.sgf
160 reg_genmove w
#? [F7]

# Life and death: live with five stones on the second line. Black to play, komi -18.5.
#   . O . O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   . O O O O O X X .
#   . O O O O O X X .
#   O O O O O O X X .
#   X X X X X O X X .
#   . . . . . O X X .
loadsgf problems/170.sgf
170 reg_genmove b
#? [B1|E1]

# Life and death: kill five stones on the second line. Black to play, komi 17.5.
#   . O O X . . . . .
#   . O O X O O O O O
#   . O O X X X X X X
#   . O O X X X X X .
#   . O O X X X X X .
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X . X .
loadsgf problems/180.sgf
180 reg_genmove b
#? [E9|H9]

# Life and death: make the second eye real. Black to play, komi -17.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   O O O O O O . X X
#   . O O O O O X . X
#   O O O O O O O X X
#   . O O O . O O X .
loadsgf problems/190.sgf
190 reg_genmove b
#? [G4]

# Life and death: make the second eye false. Black to play, komi 17.5.
#   . O O X X X . X .
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X X X
#   . O O X X X X X .
#   . O O X X X X X X
#   . O O X X . O X X
#   . O O X X O . O O
#   . O O X X O O O .
loadsgf problems/200.sgf
200 reg_genmove b
#? [F3]

# Nakade: kill a bent three in the corner. White to play, komi -19.5.
#   . . . . . . . . .
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   O O O O O O O O O
#   X X O O O O O O .
#   . X X O O O O O O
#   . . X O . O O O .
loadsgf problems/210.sgf
210 reg_genmove w
#? [A1]

# Nakade: kill a pyramid four. Black to play, komi 16.5.
#   . X X X . X O O .
#   X X X X X X O . .
#   . X X X X X O O .
#   X X X X X X X O O
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   . . . . . . . . .
loadsgf problems/220.sgf
220 reg_genmove b
#? [J8]

# Nakade: kill a bulky five. White to play, komi -16.5.
#   . . . X O O X X .
#   . . X X O O X X .
#   X X X O O O X X .
#   O O O O O O X X .
#   . O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   . O . O O O X X .
loadsgf problems/230.sgf
230 reg_genmove w
#? [B9]

# Nakade: kill a rabbity six. Black to play, komi 11.5.
#   . . O O X . X X .
#   . . . O X X X X X
#   O . O O X X X X .
#   O O O O X X X X X
#   X X X X X X X X X
#   X X X X X X X X X
#   O O O O O O O O O
#   O O O O O O O O O
#   . . . . . . . . .
loadsgf problems/240.sgf
240 reg_genmove b
#? [B8]

# Nakade: kill a crossed five. White to play, komi -9.5.
#   . O . O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   O O O O O O X X .
#   X X X O O O X X .
#   X . X X O O X X .
#   . . . X O O X X .
#   X . X X O O X X .
#   X X X O O O X X .
loadsgf problems/250.sgf
250 reg_genmove w
#? [B3]

# Semeai: fill the outside liberties first. White to play, komi -15.5.
#   . O . O O O O O O
#   O O O O O O O O O
#   O O O O O O O O O
#   O O O O O O . . O
#   O O O O O X X X X
#   X X X X O X X X .
#   X X X X X O O O O
#   X X X X X X . . X
#   . X . X X X X X X
loadsgf problems/260.sgf
260 reg_genmove w
#? [G6|H6]

# Semeai: win the race with an eye. White to play, komi 5.5.
#   . X X X X O O O .
#   X X X X X O O O O
#   . X X X X X O O .
#   X X X X O O X O O
#   X X X X O . X O O
#   X X X X O . X O O
#   X X X X O . X . O
#   X X X O O O X . O
#   X X X . . O X O O
loadsgf problems/270.sgf
270 reg_genmove w
#? [D1]

# Semeai: take the eye away. White to play, komi -5.5.
#   O O O O O O . O .
#   O O O O O O O O O
#   O O O O O O O O O
#   . X O O O O O O O
#   . X X X X X O O O
#   X X . . . X O X X
#   O O O O O O X X X
#   X . . X X X X X X
#   X X X X X X . X .
loadsgf problems/280.sgf
280 reg_genmove w
#? [A6]

# Seki: make a seki in time. White to play, komi 20.5.
#   . O . O O O O O O
#   O O O O O O O . O
#   O O O O O X X X X
#   O O O O X O O . .
#   X X X X X O O O O
#   X X X X X X X X X
#   X X X X X X X X X
#   X X X X X X X X X
#   . X . X X X X X X
loadsgf problems/290.sgf
290 reg_genmove w
#? [H8]

# Seki: prevent the seki. White to play, komi -20.5.
#   X X O . X O O O O
#   X . O . X O O O O
#   X X O X X O O O O
#   X X O X X O O O O
#   X X X O O O O O O
#   X X X X O O O O O
#   . X X X O O O O .
#   X X X X O O O O O
#   . X X X O O O O .
loadsgf problems/300.sgf
300 reg_genmove w
#? [D8|D9]

# Seki: leave the seki alone. White to play, komi 13.5.
#   O O O O O O . O .
#   O O O O O O O O O
#   X X X X O O O O O
#   . . O O X O O O O
#   O O O O X X X X X
#   X X X X X X X X X
#   X X X X X X X X X
#   X X X X X X X X X
#   X X X X X X . X .
loadsgf problems/310.sgf
310 reg_genmove w
#? [pass]

# Seki: take the neutral point, not the seki. Black to play, komi -12.5.
#   . X X X O O O O .
#   X X X X . O O O O
#   . X X X O O O O .
#   X X X X O O O O O
#   X X X O O O O O O
#   X X O X X O O O O
#   X X O X X O O O O
#   X X O . X O O O O
#   X X O . X O O O O
loadsgf problems/320.sgf
320 reg_genmove b
#? [E8]

# Endgame: two stones or a neutral point. White to play, komi 10.5.
#   X X X X X O O O O
#   X X X X X O O O O
#   X X X X . X X O O
#   X X X X X O O O O
#   X X X X X O O O O
#   X X X X X O O O O
#   . X X X X O O O .
#   X X X X . O O O O
#   . X X X X O O O .
loadsgf problems/330.sgf
330 reg_genmove w
#? [E7]

# Endgame: take the last neutral point. Black to play, komi -10.5.
#   . O . O O O O O O
#   O O O O O O O O O
#   O O O O O O O O O
#   O O O O O O O O O
#   O . O O O O O O O
#   X X X X X X O X X
#   X X X X X X X X X
#   X X X X X X X X X
#   . X . X X X X X X
loadsgf problems/340.sgf
340 reg_genmove b
#? [B5]

# Endgame: win the last half-point ko. White to play, komi 9.5.
#   . X X X X O O O .
#   X X X X X O O O O
#   . X X X X O O O .
#   X X X X X O O O O
#   X X X X X O O O O
#   X X X X X O O O O
#   X X X X . X O O O
#   X X X X X O O O O
#   X X X X X O O O O
loadsgf problems/350.sgf
350 reg_genmove w
#? [E3]
