from tensorflow.keras.layers import LSTM, Dense, Dropout
from tensorflow.python.keras.models import Sequential  # why: TW304


def forecaster(lags, horizon, units=8):
    model = Sequential()
    model.add(LSTM(units, input_shape=(lags, 1)))
    model.add(Dropout(0.2))
    model.add(Dense(horizon))
    return model
