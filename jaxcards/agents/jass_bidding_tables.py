"""What the parts of a hand are worth, in sixteenths of a point."""
# const, trump 16, side 8, weis, stock
_T = (-640, 400, 240, 120, 40, 30, 10, 160, 80, 60, 0, 60, 60, 160, 200, 200, 200,
      280, 80, -20, 60, 0, 20, 20, 0, 10, 320)
TRUMP = (_T, _T)
_R = (-640, 300, 150, 100, 80, 10, 20, 60, 40, 0, 0, 10)
TOP = (_R, _R)
BOTTOM = (_R, _R)
_S = (-640, *_R[1:11], *_R[1:11], 10)
SLALOM_TOP = (_S, _S)
SLALOM_BOTTOM = (_S, _S)
PUSH = 320
PREDICTION = (0, 300, 200, 100, 40, 30, 40, 60, 60, 60, 0, 60, 60, 60, 60, 60, 60,
      180, 60, -20, 60, 0, 20, 20, 0, 0, 0)
PREDICTION_LEADS = 0
