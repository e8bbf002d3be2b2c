package io.tidegate.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Data sources that return the same connection each time, or several in turn, without the checks of a pool. */
final class OneConnection {
    private OneConnection() {}

    static DataSource of(Connection connection) {
        return inTurns(connection);
    }

    static DataSource inTurns(Connection... connections) {
        AtomicInteger turn = new AtomicInteger();
        return from(() -> connections[turn.getAndIncrement() % connections.length]);
    }

    static DataSource from(Supplier<Connection> connections) {
        return proxy(DataSource.class, (method, arguments) -> kept(connections.get()));
    }

    private static Connection kept(Connection connection) {
        return proxy(
                Connection.class,
                (method, arguments) -> method.getName().equals("close") ? null : method.invoke(connection, arguments));
    }

    private interface Calls {
        Object answer(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calls.answer(method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }
}
